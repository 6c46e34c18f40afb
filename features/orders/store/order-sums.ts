import { Schema, type ClientSession } from 'mongoose';
import { contributionOf, type Contribution, type CountedOrder } from '../../partner/rules/analytics.ts';
import type { AccountId } from '../../rules/ids.ts';
import { defineCollection, type StoreConnection } from '../../../platform/database/connection.ts';

/**
 * Sums of an account's orders in one place: a month of completion and a category, or all pending orders. Money in öre. The
 * sums equal the orders at every moment: only `moveOrderSums`, in the transaction that writes the order, and the repair write
 * here. Each place has a few rows (slots), because transactions that write the same row conflict. An order's id selects its
 * slot. The category is a value and never a field name, so it may have any characters.
 */
export interface OrderSumsRow extends Contribution {
  /** `<account>/<YYYY-MM or pending>/<slot>/<category>` */
  readonly _id: string;
  readonly accountId: AccountId;
}

const schema = new Schema(
  {
    _id: String,
    accountId: { type: String, required: true },
    month: { type: String, default: null },
    category: { type: String, default: '' },
    orders: { type: Number, required: true },
    grossOre: { type: Number, required: true },
    feeOre: { type: Number, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
schema.index({ accountId: 1 });
export const orderSums = defineCollection<OrderSumsRow>('order_sums', schema);

export interface SummedOrder extends CountedOrder {
  readonly _id: string;
  readonly accountId: AccountId;
}

export interface OrderChange {
  /** null for a new order. */
  readonly before: SummedOrder | null;
  readonly after: SummedOrder;
}

/** Applies a change of an order to the sums of its account, in the transaction that makes the change. */
export async function moveOrderSums(
  store: StoreConnection,
  { before, after }: OrderChange,
  session: ClientSession,
): Promise<void> {
  const left = before === null ? null : contributionOf(before);
  const reached = contributionOf(after);
  if (left !== null) await add(store, { order: after, contribution: left, sign: -1 }, session);
  if (reached !== null) await add(store, { order: after, contribution: reached, sign: 1 }, session);
}

interface Addition {
  readonly order: SummedOrder;
  readonly contribution: Contribution;
  readonly sign: 1 | -1;
}

async function add(store: StoreConnection, addition: Addition, session: ClientSession): Promise<void> {
  const { order, sign, contribution } = addition;
  const { month, category, orders, grossOre, feeOre } = contribution;
  await orderSums(store).updateOne(
    { _id: rowIdOf(order.accountId, contribution, slotOf(order._id, contribution)), accountId: order.accountId },
    {
      $inc: { orders: sign * orders, grossOre: sign * grossOre, feeOre: sign * feeOre },
      $setOnInsert: { month, category },
    },
    { upsert: true, session },
  );
}

/** The id of a row: `<account>/<YYYY-MM or pending>/<slot>/<category>`. */
export const rowIdOf = (account: AccountId, { month, category }: Place, slot: number): string =>
  `${account}/${month ?? 'pending'}/${slot}/${category}`;

type Place = Pick<Contribution, 'month' | 'category'>;

/** Auctions end together, so pending orders conflict most and have the most slots. More slots would make reads slower. */
const slotsPending = 32;
const slotsOfMonth = 4;

/** The slot of an order among those of its place. */
export const slotOf = (id: string, { month }: Place): number =>
  slotAmong(id, month === null ? slotsPending : slotsOfMonth);

/** The slot of an id among `slots`, always the same for the same id. */
export const slotAmong = (id: string, slots: number): number =>
  [...id].reduce((hash, character) => (hash * 31 + character.charCodeAt(0)) % 1_000_003, 7) % slots;

/** The sums of an account by place; see {@link readOrderSumsOf}. */
export const readOrderSums = (
  store: StoreConnection,
  account: AccountId,
  session?: ClientSession,
): Promise<Contribution[]> => readOrderSumsOf(store, [account], session);

/** The sums of these accounts together by place. Exact at one moment, and including every order stored before the call. */
export async function readOrderSumsOf(
  store: StoreConnection,
  accounts: readonly AccountId[],
  session?: ClientSession,
): Promise<Contribution[]> {
  const added = { orders: { $sum: '$orders' }, grossOre: { $sum: '$grossOre' }, feeOre: { $sum: '$feeOre' } };
  const reading = orderSums(store).aggregate<Added>([
    { $match: { accountId: { $in: [...accounts] } } },
    { $group: { _id: { month: '$month', category: '$category' }, ...added } },
  ]);
  const found = await (session === undefined ? reading.readConcern('snapshot') : reading.session(session)).exec();
  return found.map(({ _id, ...sums }) => ({ ..._id, ...sums }));
}

interface Added extends Omit<Contribution, 'month' | 'category'> {
  readonly _id: Place;
}
