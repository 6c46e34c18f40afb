import { Schema, type ClientSession, type mongo } from 'mongoose';
import { deliveredTypes } from '../rules/event-types.ts';
import type { AccountId, DeliveryId, EndpointId, EventId } from '../../rules/ids.ts';
import { defineRows, isDuplicateKey, type StoreConnection } from '../../../platform/database/connection.ts';
import { rowsBehind } from '../../../platform/database/rows-behind.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { deliveryRows, firstOf, isFirst, type Delivery, type DeliveryKey } from './deliveries.ts';

/** One HTTP try, as the delivery log shows it. Source: specification "Webhook delivery log record". */
export interface DeliveryAttempt {
  /** {@link attemptIdOf} */
  readonly _id: string;
  readonly accountId: AccountId;
  readonly deliveryId: DeliveryId;
  /** null for the account-level URL. */
  readonly endpointId: EndpointId | null;
  readonly eventId: EventId;
  readonly externalId: string;
  /** The member whose item the event is about; absent when that is the account itself. */
  readonly aboutAccountId?: AccountId;
  readonly eventType: string;
  /** 1 for the first attempt of the delivery. */
  readonly attempt: number;
  readonly status: 'success' | 'failed';
  readonly errorMessage: string | null;
  readonly httpStatus: number | null;
  readonly durationMs: number;
  /** First KB of the receiver's answer, for the dashboard only. */
  readonly responseStart: string;
  /** The bytes that this attempt sent, when they differ from the delivery's `body`. */
  readonly body?: Buffer;
  /** The signature and the other headers of this attempt alone; absent where the process that sent it stopped. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly createdAt: Date;
}

/** The row as the driver reads it. */
export type DeliveryAttemptRow = Omit<DeliveryAttempt, 'body'> & { readonly body?: mongo.Binary };

/** A derived id, so that each process finds the attempt's log record of another process. */
export const attemptIdOf = ({ _id, attempts }: Pick<Delivery, '_id' | 'attempts'>): string => `${_id}:${attempts}`;

const schema = new Schema();
/** The index of the log for some filters, with or without a status. */
export const logIndex = (...filters: readonly string[]): Record<string, 1 | -1> => ({
  accountId: 1,
  ...Object.fromEntries(filters.map((filter) => [filter, 1])),
  status: 1,
  createdAt: -1,
  _id: -1,
});
/**
 * The filters of each index of the log; the one that usually matches the fewest rows comes first. An endpoint's has the type of the
 * event, too.
 */
const logFilters = [['deliveryId'], ['externalId'], ['endpointId', 'eventType'], ['eventType'], []] as const;
for (const filters of logFilters) schema.index(logIndex(...filters));
/** Only attempts about members are in it, so an account without members does not pay for it. */
export const aboutIndex = logIndex('aboutAccountId');
schema.set('shardKey', { accountId: 1 });
schema.index(aboutIndex, { partialFilterExpression: { aboutAccountId: { $exists: true } } });
schema.index({ createdAt: 1 }, { expireAfterSeconds: 30 * 24 * 3_600 });

/** Exported for other queries over the log. */
export const attemptRows = defineRows<DeliveryAttemptRow>('delivery_attempts', schema);

/** The log record of the attempt with that number, or null. */
export const findLogged = (
  store: StoreConnection,
  attempt: Pick<Delivery, keyof DeliveryKey | 'attempts'>,
): Promise<DeliveryAttemptRow | null> =>
  attemptRows(store).findOne({ _id: attemptIdOf(attempt), accountId: attempt.accountId });

/**
 * Logs attempts, each once: an existing record stays. Returns the ids of those that another process has logged with
 * another status, because the record decides the outcome of an attempt.
 */
async function logAttempts(
  store: StoreConnection,
  attempts: readonly DeliveryAttempt[],
  session?: ClientSession,
): Promise<ReadonlySet<string>> {
  const rows = store.connection.collection<DeliveryAttempt>('delivery_attempts');
  const options = { ordered: false, ignoreUndefined: true, ...(session !== undefined && { session }) };
  try {
    await rows.insertMany([...attempts], options);
    return new Set();
  } catch (error) {
    if (!isDuplicateKey(error) || session !== undefined) throw error;
  }
  const statusOf = new Map(attempts.map(({ _id, status }) => [_id, status]));
  // Not a majority read, because the conflicting record may have been written a moment ago.
  const accountId = { $in: accountsOf(attempts) };
  const logged = attemptRows(store).find(
    { _id: { $in: [...statusOf.keys()] }, accountId },
    { readConcern: { level: 'local' } },
  );
  return new Set((await logged.toArray()).flatMap(({ _id, status }) => (statusOf.get(_id) === status ? [] : [_id])));
}

const accountsOf = (attempts: readonly DeliveryAttempt[]): AccountId[] => [
  ...new Set(attempts.map(({ accountId }) => accountId)),
];

/** How a delivery goes on after an attempt that failed. */
export interface Continuation {
  /** When the next attempt may be made. */
  readonly retryAt: Date;
  /** When a relay starts its workflow, if it does not run. */
  readonly startAt: Date;
}

/** An attempt with its outcome. `goesOn` null: it succeeded. */
export interface AttemptEnd {
  readonly attempt: DeliveryAttempt;
  readonly goesOn: Continuation | null;
}

/**
 * Writes the outcomes of attempts that affect only their own deliveries: those that succeeded or are retried. The log
 * comes first, then the rows, so that a process that takes an attempt over finds its known outcome. A row whose attempt
 * another process has logged with another status stays unchanged: that process writes the row.
 */
export async function completeTogether(store: StoreConnection, ends: readonly AttemptEnd[], now: Date): Promise<void> {
  const logged = ends.map(({ attempt }) => attempt);
  const overruled = await logAttempts(store, logged);
  const ours = ends.filter(({ attempt }) => !overruled.has(attempt._id));
  if (ours.length === 0) return;
  const succeeded = ours.flatMap(({ attempt, goesOn }) => (goesOn === null ? [attempt] : []));
  const operations = [
    ...groupedByAttempt(succeeded).map((filter) => ({
      updateMany: { filter, update: { $set: { ...closed, state: 'succeeded' as const, updatedAt: now } } },
    })),
    ...ours.flatMap(({ attempt, goesOn }) =>
      goesOn === null
        ? []
        : [{ updateOne: { filter: openAt(attempt), update: { $set: { ...goesOn, updatedAt: now } } } }],
    ),
  ];
  await deliveryRows(store).bulkWrite(operations, { ordered: false });
}

const closed = { waits: null, startAt: null, retryAt: null } as const;

const openAt = ({ deliveryId: _id, accountId, attempt: attempts }: DeliveryAttempt) => ({
  _id,
  accountId,
  state: 'pending' as const,
  attempts,
});

/** One filter for all rows with the same number of attempts. */
function groupedByAttempt(attempts: readonly DeliveryAttempt[]) {
  const numbers = [...new Set(attempts.map(({ attempt }) => attempt))];
  return numbers.map((number) => {
    const own = attempts.filter(({ attempt }) => attempt === number);
    const ids: DeliveryId[] = own.map(({ deliveryId }) => deliveryId);
    return { _id: { $in: ids }, accountId: { $in: accountsOf(own) }, state: 'pending' as const, attempts: number };
  });
}

/** Runs in the same transaction, and only if the record is still open. */
type AlsoWrite = (session: ClientSession) => Promise<void>;

/**
 * Writes a failed attempt that is retried, together with its effect on the target. Does nothing when another process has logged the
 * attempt with another status.
 */
export const continueDelivery = (
  store: StoreConnection,
  { attempt, goesOn }: { readonly attempt: DeliveryAttempt; readonly goesOn: Continuation },
  alsoWrite: AlsoWrite,
): Promise<void> => writeWithLog(store, attempt, { set: goesOn, alsoWrite });

export interface End {
  readonly attempt: DeliveryAttempt;
  readonly state: 'succeeded' | 'given_up';
  readonly alsoWrite: AlsoWrite;
}

/**
 * Closes a delivery, with its log record and the effect on its target, in one transaction. Does nothing when another
 * process has logged the attempt with another status.
 */
export function endDelivery(
  store: StoreConnection,
  delivery: Delivery,
  { attempt, state, alsoWrite }: End,
): Promise<void> {
  const set = { ...closed, state, missed: state === 'given_up' && isFirst(delivery) };
  return writeWithLog(store, attempt, {
    set,
    alsoWrite: async (session) => {
      if (state === 'succeeded' && delivery.ordinal > 1)
        await deliveryRows(store).updateOne(firstOf(delivery), { $set: { missed: false } }, { session });
      await alsoWrite(session);
    },
  });
}

function writeWithLog(
  store: StoreConnection,
  attempt: DeliveryAttempt,
  { set, alsoWrite }: { readonly set: Partial<Omit<Delivery, 'body'>>; readonly alsoWrite: AlsoWrite },
): Promise<void> {
  return inTransaction(store, async (session) => {
    const { _id, accountId } = attempt;
    const logged = await attemptRows(store).findOne({ _id, accountId }, { projection: { status: 1 }, session });
    if (logged !== null && logged.status !== attempt.status) return;
    const change = { $set: { ...set, updatedAt: attempt.createdAt } };
    const result = await deliveryRows(store).updateOne(openAt(attempt), change, { session });
    if (result.modifiedCount === 0) return;
    if (logged === null) await logAttempts(store, [attempt], session);
    await alsoWrite(session);
  });
}

/** All given conditions must hold; an absent one does not restrict. */
export interface AttemptFilter {
  /** null for the account-level URL. */
  readonly endpointId?: EndpointId | null;
  readonly status?: 'success' | 'failed';
  readonly eventType?: string;
  readonly externalId?: string;
  readonly deliveryId?: DeliveryId;
  /** Attempted at that time or later. */
  readonly from?: Date;
  /** Attempted before that time. */
  readonly to?: Date;
  /** The oldest first, in place of the newest. */
  readonly sort?: 'created' | '-created';
}

/** Position of an attempt in the log. No two attempts share one. */
export interface AttemptPlace {
  readonly at: Date;
  readonly id: string;
}

export interface AttemptWalk {
  readonly filter?: AttemptFilter;
  /** The attempts before this one in time come next. */
  readonly behind?: AttemptPlace | undefined;
  readonly rowsMax: number;
}

/** Named in the filter, so that the server merges both ranges of an index instead of sorting. */
export const eitherStatus = ['failed', 'success'] as const;
/** What was sent and answered is for the page of one attempt. */
export const listed = { responseStart: 0, body: 0, headers: 0 } as const;

/**
 * Newest first unless `sort` says otherwise; attempts of one millisecond have a stable order. Each index has the status before
 * the time, that of an endpoint also the event's type. The query names every value of them, so that the server merges their
 * ranges instead of sorting.
 */
export async function listRecentAttempts(
  store: StoreConnection,
  accountId: AccountId,
  { filter = {}, behind, rowsMax }: AttemptWalk,
): Promise<DeliveryAttemptRow[]> {
  const { status, from, to, sort = '-created', ...equal } = filter;
  const direction = sort === 'created' ? 1 : -1;
  const range = { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lt: to }) };
  const filters = filtersOfIndex(filter);
  const wanted = {
    accountId,
    ...equal,
    status: status ?? { $in: [...eitherStatus] },
    ...(filters.includes('eventType') && { eventType: equal.eventType ?? { $in: [...deliveredTypes] } }),
    ...(Object.keys(range).length > 0 && { createdAt: range }),
    ...(behind !== undefined && { $and: rowsBehind('createdAt', direction, behind) }),
  };
  return attemptRows(store)
    .find(wanted, { projection: listed, hint: logIndex(...filters) })
    .sort({ createdAt: direction, _id: direction })
    .limit(rowsMax)
    .toArray();
}

/**
 * The index is named, because for a short time range the server would choose the index of times, with the attempts of
 * all accounts.
 */
const filtersOfIndex = (filter: AttemptFilter): readonly string[] =>
  logFilters.find(([first]) => first === undefined || filter[first] !== undefined) ?? [];

/**
 * One attempt of this account with its delivery, or null. The delivery is null when it is deleted already: its retention starts at its
 * creation, that of an attempt at the attempt's own time.
 */
export async function findAttempt(store: StoreConnection, accountId: AccountId, id: string) {
  const attempt = await attemptRows(store).findOne({ _id: id, accountId });
  if (attempt === null) return null;
  const row = await deliveryRows(store).findOne(
    { _id: attempt.deliveryId, accountId },
    { projection: { state: 1, attempts: 1, purpose: 1, body: 1 } },
  );
  return { attempt, delivery: row === null ? null : { ...row, body: Buffer.from(row.body.buffer) } };
}

/** The newest attempts of one delivery, or about some items: two index scans for each item. */
export const findAttemptsOf = (
  store: StoreConnection,
  accountId: AccountId,
  {
    limit,
    ...named
  }: ({ readonly externalIds: readonly string[] } | { readonly deliveryId: DeliveryId }) & {
    readonly limit: number;
  },
): Promise<DeliveryAttemptRow[]> =>
  attemptRows(store)
    .find(
      {
        accountId,
        ...('deliveryId' in named ? named : { externalId: { $in: [...named.externalIds] } }),
        status: { $in: [...eitherStatus] },
      },
      {
        projection: listed,
        hint: logIndex('deliveryId' in named ? 'deliveryId' : 'externalId'),
      },
    )
    .sort({ createdAt: -1, _id: -1 })
    .limit(limit)
    .toArray();
