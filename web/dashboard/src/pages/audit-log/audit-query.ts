import type { ListAuditLogEntriesData } from '../../../../../client/generated/types.gen.ts';
import { beginningOf, endOf } from '../../period/stockholm-day.ts';
import { auditActors, auditKinds } from './kinds.ts';

/** Parameters by name. */
type Address = Readonly<Record<string, string>>;
export type AuditQuery = NonNullable<ListAuditLogEntriesData['query']>;

/** The filters of the address as the service takes them; what it would refuse is left out. Days are Swedish ones, both included. */
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

/** `view` is not one: it says which log is read. */
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

/** With rare filters the service answers empty pages that have a next one; so many are read at most before the person is asked. */
const pagesMax = 8;

/** Reads on until a page has entries, or there is nothing older. */
export async function findPage<Entry>(
  read: (cursor: string | undefined) => Promise<LogPage<Entry>>,
  first: string | undefined,
): Promise<FoundPage<Entry>> {
  let page = await read(first);
  for (let count = 1; count < pagesMax && page.entries.length === 0 && page.nextCursor !== null; count += 1)
    page = await read(page.nextCursor);
  return { rows: page.entries, nextCursor: page.nextCursor };
}
