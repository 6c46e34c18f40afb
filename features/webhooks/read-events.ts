import { Refusal } from '../rules/errors.ts';
import { problem } from '../rules/field-problems.ts';
import { isAboutOrder, isSpecified } from './rules/event-types.ts';
import type { AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import { buildEnvelope, type Envelope } from './rules/envelope.ts';
import { badQuery } from '../../schemas/query.ts';
import { writeEventCursor, type EventFeedQuery } from '../../schemas/events/event-feed.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { hasReachedEvent, numberEvents, readEventSlice, type NumberedRow } from './store/events.ts';
import { readFeedEpoch } from './store/feed-epoch.ts';
import { findConnectionOfMember } from '../resellers/store/member-connections.ts';
import { requireSharedOrders } from '../resellers/share-orders.ts';

/** Events that one call reads at most to find some of the named types: 20 times 500. */
const [roundsMax, roundSize] = [20, 500] as const;

/**
 * Reads the account's events after a cursor, for a client that has missed deliveries. A page never skips an event, so a reader
 * that continues with `nextCursor` sees every event of its types once. Throws Refusal GONE when events after the cursor were
 * already removed, or the database was restored since. BAD_REQUEST means a cursor that was never issued. PARTNER_ACCOUNT_FORBIDDEN means a member that has left
 * meanwhile, or that does not share the orders that were asked for.
 */
export async function readEvents({ store }: { readonly store: StoreConnection }, scope: Scope, query: EventFeedQuery) {
  const { after: cursor, types } = query;
  const account = scope.accountId;
  if (cursor !== null && cursor !== 'now' && cursor.account !== account) throw notTheirs();
  const memberExternalId = await referenceOfMember(store, scope);
  if (types?.some(isAboutOrder) === true) await requireSharedOrders(store, scope);
  const [{ epoch, restoredTo }] = await Promise.all([readFeedEpoch(store), numberEvents(store, account)]);
  if (cursor !== null && cursor !== 'now' && cursor.epoch !== epoch) throw restored(restoredTo);
  const { rows, end } =
    cursor === 'now'
      ? { rows: [], end: (await readEventSlice(store, account, { after: 0, limit: 1 })).lastNumber }
      : await readChosen(store, account, { ...query, after: cursor?.number ?? null });
  return {
    events: rows.map((row) => envelopeOf(row, memberExternalId)),
    nextCursor: writeEventCursor({ account, number: end, epoch }),
  };
}

interface Reading {
  readonly after: number | null;
  readonly limit: number;
}

interface Run {
  readonly rows: readonly NumberedRow[];
  /** Number of the last event that was read. */
  readonly end: number;
}

/** Reads on past events of other types until the page is full, the end is reached, or the limit of reads. */
async function readChosen(
  store: StoreConnection,
  account: AccountId,
  { after, limit, types }: Reading & Pick<EventFeedQuery, 'types'>,
): Promise<Run> {
  const isChosen = ({ type }: NumberedRow): boolean => types?.includes(type) ?? isSpecified(type);
  const size = types === undefined ? limit : roundSize;
  const found: NumberedRow[] = [];
  let end = after;
  for (let round = 0; types === undefined || round < roundsMax; round += 1) {
    const run = await readRun(store, account, { after: end, limit: size, isGoingOn: found.length > 0 });
    const chosen = run.rows.filter(isChosen);
    const taken = chosen.slice(0, limit - found.length);
    found.push(...taken);
    const last = taken.at(-1);
    if (taken.length < chosen.length && last !== undefined) return { rows: found, end: last.number };
    end = run.end;
    if (found.length === limit || run.rows.length < size) break;
  }
  return { rows: found, end: end ?? 0 };
}

/** The next events without a gap. A gap right behind `after` is refused, unless the page has events already (`isGoingOn`). */
async function readRun(
  store: StoreConnection,
  account: AccountId,
  { after, limit, isGoingOn }: Reading & { readonly isGoingOn: boolean },
): Promise<Run> {
  const { rows, lastNumber } = await readEventSlice(store, account, { after: after ?? 0, limit });
  await refuseFuture(store, account, { after: after ?? 0, lastNumber });
  const run = after === null ? newestRun(rows) : runFrom(rows, after + 1);
  if (after !== null && run.length === 0 && after < lastNumber && !isGoingOn) throw removedAlready();
  return { rows: run, end: run.at(-1)?.number ?? after ?? lastNumber };
}

const notTheirs = (): Refusal => badQuery([problem('after', 'foreign_cursor')]);

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
function runFrom(rows: readonly NumberedRow[], first: number): readonly NumberedRow[] {
  const hole = rows.findIndex((row, index) => row.number !== first + index);
  return hole === -1 ? rows : rows.slice(0, hole);
}

/** A reader without a cursor starts after the last gap; otherwise the gap would send it back to the beginning. */
function newestRun(rows: readonly NumberedRow[]): readonly NumberedRow[] {
  const start = rows.findLastIndex((row, index) => index > 0 && row.number !== (rows[index - 1]?.number ?? 0) + 1);
  return rows.slice(Math.max(start, 0));
}

const removedAlready = (): Refusal =>
  new Refusal(
    'GONE',
    'Events after this cursor are older than 30 days and were removed. Start again without `after`: that gives the oldest events kept',
  );

const restored = (to: Date | null): Refusal =>
  new Refusal(
    'GONE',
    `This cursor is of the time before the service was restored from a backup${to === null ? '' : ` of ${to.toISOString()}`}. Start again without \`after\`: that gives the oldest events kept, some of them once more. What happened between the backup and the restore is in no event, so compare your items with the list of items`,
  );

const envelopeOf = (
  { _id, type, sequence, data, occurredAt, accountId }: NumberedRow,
  memberExternalId?: string,
): Envelope => buildEnvelope({ eventId: _id, type, sequence, data, occurredAt }, { accountId, memberExternalId });
