import { Schema, type ClientSession } from 'mongoose';
import type { AccountId } from '../../rules/ids.ts';
import type { SubscriptionState } from '../rules/subscription.ts';
import { defineCollection, isDuplicateKey, type StoreConnection } from '../../../platform/database/connection.ts';

/** The account's purchases, as last read from the payment processor. An account that never tried to buy has no row. */
export interface SubscriptionRow {
  readonly _id: AccountId;
  /** Customers at the processor, the one for new checkouts first. A customer belongs to one account. */
  readonly customerIds: readonly string[];
  readonly state: SubscriptionState;
  /**
   * An earlier reading of the processor never replaces a later one (protocol 23): each change of the row raises the version, and
   * a reading is stored only when the version is the one at which it began.
   */
  readonly version: number;
  /** Counts the account's checkouts. Part of the processor's Idempotency-Key, so that concurrent calls make the same checkout. */
  readonly checkoutNumber: number;
  /** The last checkout, until it is known to be over. */
  readonly checkout: StoredCheckout | null;
  /** When to read the processor again without an event from it. */
  readonly checkAt?: Date;
  readonly readAt: Date | null;
}

export interface StoredCheckout {
  readonly sessionId: string;
  readonly openedAt: Date;
  readonly closesAt: Date;
}

const schema = new Schema(
  {
    _id: { type: String, required: true },
    customerIds: { type: [String], required: true },
    state: {
      tier: { type: String, required: true, enum: ['free', 'pro'] },
      subscriptionId: { type: String, default: null },
      startedAt: { type: Date, default: null },
      paidUntil: { type: Date, default: null },
      renews: { type: Boolean, required: true },
    },
    version: { type: Number, required: true },
    checkoutNumber: { type: Number, required: true },
    checkout: {
      type: new Schema(
        { sessionId: { type: String, required: true }, openedAt: Date, closesAt: Date },
        { _id: false, strict: 'throw' },
      ),
      default: null,
    },
    checkAt: Date,
    readAt: { type: Date, default: null },
  },
  { versionKey: false, strict: 'throw' },
);
// Unique, but partial: a customer has at most one row, and many accounts have no customer.
schema.index({ customerIds: 1 }, { unique: true, partialFilterExpression: { customerIds: { $gt: '' } } });
schema.index({ checkAt: 1 }, { partialFilterExpression: { checkAt: { $exists: true } } });

const subscriptions = defineCollection<SubscriptionRow>('subscriptions', schema);

/** The account's row; null when it never tried to buy. */
export function findSubscription(store: StoreConnection, accountId: AccountId): Promise<SubscriptionRow | null> {
  return subscriptions(store).findById(accountId).lean<SubscriptionRow>().exec();
}

/** The processor's events name only the customer, so there is no scope parameter. */
export function findSubscriptionByCustomer(
  store: StoreConnection,
  customerId: string,
): Promise<SubscriptionRow | null> {
  return subscriptions(store).findOne({ customerIds: customerId }).lean<SubscriptionRow>().exec();
}

/** The account's row, created when it is missing. */
export async function openSubscription(
  store: StoreConnection,
  accountId: AccountId,
  state: SubscriptionState,
): Promise<SubscriptionRow> {
  const initial = { customerIds: [], state, version: 0, checkoutNumber: 1, checkout: null, readAt: null };
  try {
    return await subscriptions(store)
      .findOneAndUpdate({ _id: accountId }, { $setOnInsert: initial }, { upsert: true, returnDocument: 'after' })
      .lean<SubscriptionRow>()
      .exec();
  } catch (error) {
    // Another process created it at the same time.
    const row = isDuplicateKey(error) ? await findSubscription(store, accountId) : null;
    if (row === null) throw error;
    return row;
  }
}

/** More customers than an operator would ever make by hand for one account. */
const customersMax = 10;

/** Adds a customer, in front when `isFirst`. Returns false when it belongs to another account, or is one too many. */
export async function addCustomer(
  store: StoreConnection,
  accountId: AccountId,
  { customerId, isFirst }: { customerId: string; isFirst: boolean },
): Promise<boolean> {
  try {
    const isFull = { [`customerIds.${String(customersMax - 1)}`]: { $exists: true } };
    await subscriptions(store).updateOne(
      { _id: accountId, customerIds: { $ne: customerId }, ...(!isFirst && { $nor: [isFull] }) },
      { $push: { customerIds: { $each: [customerId], ...(isFirst && { $position: 0 }) } }, $inc: { version: 1 } },
    );
    return (await subscriptions(store).exists({ _id: accountId, customerIds: customerId })) !== null;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Stores the checkout made under `seen.checkoutNumber`. Returns false when one is stored already, or the number is used up. */
export async function storeCheckout(
  store: StoreConnection,
  seen: SubscriptionRow,
  { checkout, checkAt, session }: { checkout: StoredCheckout; checkAt: Date; session: ClientSession },
): Promise<boolean> {
  const result = await subscriptions(store).updateOne(
    { _id: seen._id, checkoutNumber: seen.checkoutNumber, checkout: null },
    // A subscription may need a check too, so the earlier time wins.
    { $set: { checkout }, $min: { checkAt }, $inc: { version: 1 } },
    { session },
  );
  return result.modifiedCount === 1;
}

/** Makes the next checkout a new one. No effect when another call has changed the row since it was read. */
export async function closeCheckout(store: StoreConnection, seen: SubscriptionRow): Promise<void> {
  const { _id, checkoutNumber, checkout } = seen;
  await subscriptions(store).updateOne(
    { _id, checkoutNumber, ...(checkout === null ? { checkout } : { 'checkout.sessionId': checkout.sessionId }) },
    { $set: { checkout: null }, $inc: { checkoutNumber: 1, version: 1 } },
  );
}

/** Stores a reading that began when the row was `seen`. Returns false, and stores nothing, when the row has changed since. */
export async function storeReading(
  store: StoreConnection,
  seen: SubscriptionRow,
  reading: { state: SubscriptionState; checkAt: Date | null; readAt: Date; session: ClientSession },
): Promise<boolean> {
  const { state, checkAt, readAt, session } = reading;
  const result = await subscriptions(store).updateOne(
    { _id: seen._id, version: seen.version },
    {
      $set: { state, readAt, ...(checkAt !== null && { checkAt }) },
      ...(checkAt === null && { $unset: { checkAt: true } }),
      $inc: { version: 1 },
    },
    { session },
  );
  return result.modifiedCount === 1;
}

/** Claims the due row that has waited longest for its check. No other process gets it before `until`. */
export function claimDueCheck(
  store: StoreConnection,
  { now, until }: { now: Date; until: Date },
): Promise<SubscriptionRow | null> {
  return subscriptions(store)
    .findOneAndUpdate(
      { checkAt: { $lte: now } },
      { $set: { checkAt: until } },
      { sort: { checkAt: 1 }, returnDocument: 'after' },
    )
    .lean<SubscriptionRow>()
    .exec();
}

/** Makes the check of every customer due. */
export async function checkAllSubscriptions(store: StoreConnection, now: Date): Promise<void> {
  await subscriptions(store).updateMany({ 'customerIds.0': { $exists: true } }, { $set: { checkAt: now } });
}

/** One event of the payment processor that has had its effect. */
export interface PaymentEventRow {
  /** The processor's id. */
  readonly _id: string;
  readonly accountId: AccountId;
  readonly type: string;
  /** By the processor's clock. */
  readonly createdAt: Date;
  readonly appliedAt: Date;
  readonly purgeAt: Date;
}

const eventSchema = new Schema(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    type: { type: String, required: true },
    createdAt: { type: Date, required: true },
    appliedAt: { type: Date, required: true },
    purgeAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
eventSchema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });

const paymentEvents = defineCollection<PaymentEventRow>('payment_events', eventSchema);

/** Longer than the processor resends events: automatically for some days, by hand for 30. */
const keptMs = 60 * 86_400_000;

export async function isPaymentEventApplied(store: StoreConnection, eventId: string): Promise<boolean> {
  return (await paymentEvents(store).exists({ _id: eventId })) !== null;
}

/** Part of the transaction of the event's effect. Throws a duplicate key error (`isDuplicateKey`) when it was applied before. */
export async function insertPaymentEvent(
  store: StoreConnection,
  event: Omit<PaymentEventRow, 'purgeAt'>,
  session: ClientSession,
): Promise<void> {
  const purgeAt = new Date(event.appliedAt.getTime() + keptMs);
  await paymentEvents(store).create([{ ...event, purgeAt }], { session });
}
