import { Schema, type ClientSession } from 'mongoose';
import type { AccountId } from '../../core/ids.ts';
import type { SubscriptionState } from '../../core/subscription/subscription-state.ts';
import { defineCollection, isDuplicateKey, type StoreConnection } from '../database/connection.ts';

/** What an account has bought, as the payment processor last told; there is none for accounts that never tried. */
export interface SubscriptionRow {
  readonly _id: AccountId;
  /** At the processor, the one for new checkouts first. A customer belongs to one account. */
  readonly customerIds: readonly string[];
  readonly state: SubscriptionState;
  /**
   * Raised by each change of the row, above all by each reading of the processor. A reading is stored only when the row is still as it
   * was when the reading began, so what was read earlier never replaces what was read later (protocol 22).
   */
  readonly version: number;
  /** Counts the account's checkouts; part of the processor's Idempotency-Key, so that calls side by side make the same one. */
  readonly checkoutNumber: number;
  /** The last checkout, until it is seen to be over. */
  readonly checkout: StoredCheckout | null;
  /** When to read the processor without having been told to. */
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
// Of a customer there is one row at most, of accounts without one there are many.
schema.index({ customerIds: 1 }, { unique: true, partialFilterExpression: { customerIds: { $gt: '' } } });
schema.index({ checkAt: 1 }, { partialFilterExpression: { checkAt: { $exists: true } } });

const subscriptions = defineCollection<SubscriptionRow>('subscriptions', schema);

export function findSubscription(store: StoreConnection, accountId: AccountId): Promise<SubscriptionRow | null> {
  return subscriptions(store).findById(accountId).lean<SubscriptionRow>().exec();
}

/** The processor knows only its customers, so no scope comes first. */
export function findSubscriptionByCustomer(
  store: StoreConnection,
  customerId: string,
): Promise<SubscriptionRow | null> {
  return subscriptions(store).findOne({ customerIds: customerId }).lean<SubscriptionRow>().exec();
}

/** The account's row, made when it is not there. */
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
    // Two made it at once.
    const row = isDuplicateKey(error) ? await findSubscription(store, accountId) : null;
    if (row === null) throw error;
    return row;
  }
}

/** More than an operator would ever make by hand for one account. */
const customersMax = 10;

/** Adds a customer, in front when new checkouts shall be its. Answers false when it is another account's, or one too many. */
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

/** Keeps the checkout that was made under `seen.checkoutNumber`. Answers false when one is kept already, or that number is used up. */
export async function storeCheckout(
  store: StoreConnection,
  seen: SubscriptionRow,
  { checkout, checkAt, session }: { checkout: StoredCheckout; checkAt: Date; session: ClientSession },
): Promise<boolean> {
  const result = await subscriptions(store).updateOne(
    { _id: seen._id, checkoutNumber: seen.checkoutNumber, checkout: null },
    // With a subscription to check as well, the earlier check is the right one.
    { $set: { checkout }, $min: { checkAt }, $inc: { version: 1 } },
    { session },
  );
  return result.modifiedCount === 1;
}

/** The next checkout is a new one. No effect when another call has gone on from what was seen. */
export async function closeCheckout(store: StoreConnection, seen: SubscriptionRow): Promise<void> {
  const { _id, checkoutNumber, checkout } = seen;
  await subscriptions(store).updateOne(
    { _id, checkoutNumber, ...(checkout === null ? { checkout } : { 'checkout.sessionId': checkout.sessionId }) },
    { $set: { checkout: null }, $inc: { checkoutNumber: 1, version: 1 } },
  );
}

/** Stores a reading that began when the row was `seen`. Answers false, and stores nothing, when another was stored since. */
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

/** Takes the row that has waited longest for its check, and lets nobody else have it before `until`. */
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
