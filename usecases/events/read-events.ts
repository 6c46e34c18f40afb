import { Refusal } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { buildEnvelope, type Envelope } from '../../core/webhooks/envelope.ts';
import { badQuery } from '../../schemas/query.ts';
import { writeEventCursor, type EventFeedQuery } from '../../schemas/events/event-feed.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { hasReachedEvent, readEventSlice, type EventRow } from '../../store/events/events.ts';
import { findConnectionOfMember } from '../../store/resellers/member-connections.ts';

export interface EventFeedPage {
  /** Oldest first, each in the same form as in a delivery. */
  readonly events: readonly Envelope[];
  /** Position after the last event of the page; unchanged when there is no new event. */
  readonly nextCursor: string;
}

/**
 * Reads the account's events after a cursor, for a client that has missed deliveries. A page never skips an event, so a reader
 * that continues with `nextCursor` sees every event once. Throws Refusal GONE when events after the cursor were already removed.
 * BAD_REQUEST means a cursor that was never issued, and PARTNER_ACCOUNT_FORBIDDEN a member that has left meanwhile.
 */
export async function readEvents(
  { store }: { readonly store: StoreConnection },
  scope: Scope,
  { after: cursor, limit }: EventFeedQuery,
): Promise<EventFeedPage> {
  const account = scope.accountId;
  if (cursor !== null && cursor.account !== account) throw notTheirs();
  const after = cursor?.number ?? null;
  const memberExternalId = await referenceOfMember(store, scope);
  const { rows, lastNumber } = await readEventSlice(store, account, { after: after ?? 0, limit });
  await refuseFuture(store, account, { after: after ?? 0, lastNumber });
  const page = after === null ? newestRun(rows) : runFrom(rows, after + 1);
  if (after !== null && page.length === 0 && after < lastNumber) throw removedAlready();
  return {
    events: page.map((row) => envelopeOf(row, memberExternalId)),
    nextCursor: writeEventCursor({ account, number: page.at(-1)?.number ?? after ?? lastNumber }),
  };
}

const notTheirs = (): Refusal => badQuery([{ field: 'after', message: 'must be a nextCursor of this account' }]);

async function refuseFuture(
  store: StoreConnection,
  account: AccountId,
  { after, lastNumber }: { after: number; lastNumber: number },
): Promise<void> {
  if (after > lastNumber && !(await hasReachedEvent(store, account, after))) throw notTheirs();
}

/** A reseller's own reference for the member, as in the deliveries to its members-scope endpoint. */
async function referenceOfMember(store: StoreConnection, scope: Scope): Promise<string | undefined> {
  if (scope.accountId === scope.actingAccountId) return undefined;
  const link = await findConnectionOfMember(store, scope.accountId);
  if (link?.resellerAccountId === scope.actingAccountId) return link.externalId;
  throw new Refusal('PARTNER_ACCOUNT_FORBIDDEN', 'X-Partner-Account names no member that this account may act for');
}

/** Returns the rows from this number to the first gap: old events are not necessarily removed in the order of their numbers. */
function runFrom(rows: readonly EventRow[], first: number): readonly EventRow[] {
  const hole = rows.findIndex((row, index) => row.number !== first + index);
  return hole === -1 ? rows : rows.slice(0, hole);
}

/** A reader without a cursor starts after the last gap; otherwise the gap would send it back to the beginning. */
function newestRun(rows: readonly EventRow[]): readonly EventRow[] {
  const start = rows.findLastIndex((row, index) => index > 0 && row.number !== (rows[index - 1]?.number ?? 0) + 1);
  return rows.slice(Math.max(start, 0));
}

const removedAlready = (): Refusal =>
  new Refusal(
    'GONE',
    'Events after this cursor are older than 30 days and were removed. Start again without `after`: that gives the oldest events kept',
  );

const envelopeOf = (
  { _id, type, sequence, data, occurredAt, accountId }: EventRow,
  memberExternalId?: string,
): Envelope => buildEnvelope({ eventId: _id, type, sequence, data, occurredAt }, { accountId, memberExternalId });
