import type { ListAuditLogEntriesData } from '../../../../../client/generated/types.gen.ts';
import { beginningOf, endOf } from '../../period/stockholm-day.ts';
import { auditActors, auditKinds } from './kinds.ts';

/** Parameters by name. */
type Address = Readonly<Record<string, string>>;
export type AuditQuery = NonNullable<ListAuditLogEntriesData['query']>;

/**
 * The filters of the address in the form of the service; values that it would refuse are left out. Days are Swedish,
 * both included.
 */
export function auditQuery({ kind, actor, externalId, from = '', to = '', view }: Address): AuditQuery {
  const wantedKind = auditKinds.find((one) => one === kind);
  const wantedActor = auditActors.find((one) => one === actor);
  const since = beginningOf(from);
  const until = endOf(to);
  return {
    ...(wantedKind !== undefined && { kind: wantedKind }),
    ...(wantedActor !== undefined && { actor: wantedActor }),
    ...(externalId !== undefined && { externalId }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(view === 'acting' && { view }),
  };
}

/** `view` is no filter: it chooses the log. */
export const noAuditFilters = {
  kind: undefined,
  actor: undefined,
  externalId: undefined,
  from: undefined,
  to: undefined,
};

export const hasAuditFilters = ({ kind, actor, externalId, since, until }: AuditQuery): boolean =>
  [kind, actor, externalId, since, until].some((one) => one !== undefined);

interface LogPage<Entry> {
  readonly entries: readonly Entry[];
  readonly nextCursor: string | null;
}

interface FoundPage<Entry> {
  readonly rows: readonly Entry[];
  readonly nextCursor: string | null;
}

/** With rare filters the service returns empty pages that have a next one. After this many the person is asked. */
const pagesMax = 8;

/** Reads on until a page has entries, or no older ones exist. */
export async function findPage<Entry>(
  read: (cursor: string | undefined) => Promise<LogPage<Entry>>,
  first: string | undefined,
): Promise<FoundPage<Entry>> {
  let page = await read(first);
  for (let count = 1; count < pagesMax && page.entries.length === 0 && page.nextCursor !== null; count += 1)
    page = await read(page.nextCursor);
  return { rows: page.entries, nextCursor: page.nextCursor };
}
