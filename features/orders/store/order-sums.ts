import type { Contribution } from '../../partner/rules/revenue.ts';
import type { AccountId } from '../../rules/ids.ts';
import { createSharedReads, keptMsOfSums } from '../../../platform/concurrency/shared-reads.ts';
import { perStore } from '../../../platform/database/batch.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { commissionIndex, completedIndex, orderRows } from './orders.ts';

const added = { orders: { $sum: 1 }, grossOre: { $sum: '$amountOre' }, feeOre: { $sum: '$feeOre' } };
const month = { $dateToString: { date: '$completedAt', format: '%Y-%m', timezone: 'Europe/Stockholm' } };

interface Added extends Omit<Contribution, 'month' | 'category'> {
  readonly _id: Pick<Contribution, 'month' | 'category'>;
}

const sharedSums = perStore(() => createSharedReads<Contribution[]>(keptMsOfOrders));
const sharedCommission = perStore(() => createSharedReads<MemberCommission[]>());

/** How long sums of orders are given again. */
export const keptMsOfOrders = (sums: readonly { readonly orders: number }[]): number =>
  keptMsOfSums(sums.reduce((all, { orders }) => all + orders, 0));

/**
 * The sums of these accounts together: of completed orders by the month of completion and the category, and of all pending ones. An
 * order that is paid but not completed, or cancelled, adds nothing. Exact at one moment: that of the call, for more than 20,000
 * orders one up to a minute earlier. It reads one index key for each of these orders.
 */
export const readOrderSums = (store: StoreConnection, accounts: readonly AccountId[]): Promise<Contribution[]> =>
  sharedSums(store)(accounts.join(), () => sumOrders(store, accounts));

async function sumOrders(store: StoreConnection, accounts: readonly AccountId[]): Promise<Contribution[]> {
  const accountId = { $in: [...accounts] };
  const pending = [
    { $match: { accountId, state: 'pending' } },
    { $group: { _id: { month: null, category: '' }, ...added } },
  ];
  const found = await orderRows(store)
    .aggregate<Added>([
      { $match: { accountId, completedAt: { $gt: new Date(0) } } },
      { $group: { _id: { month, category: '$category' }, ...added } },
      { $unionWith: { coll: 'orders', pipeline: pending } },
    ])
    .hint(completedIndex)
    .readConcern('snapshot')
    .exec();
  return found.map(({ _id, ...sums }) => ({ ..._id, ...sums }));
}

/** What a reseller owes on one member's completed orders, or would owe on those that wait for its confirmation. Money in öre. */
export interface MemberCommission {
  readonly memberAccountId: AccountId;
  /** Nothing is owed on these orders yet. */
  readonly isWaiting: boolean;
  readonly orders: number;
  readonly salesOre: number;
  readonly owedOre: number;
}

/**
 * Sums by member, including former members. Exact at one moment, and including every order stored before the call: what a
 * reseller confirms is what it is shown.
 */
export const readCommissionSums = (store: StoreConnection, reseller: AccountId): Promise<MemberCommission[]> =>
  sharedCommission(store)(reseller, () => sumCommission(store, reseller));

async function sumCommission(store: StoreConnection, reseller: AccountId): Promise<MemberCommission[]> {
  const place = { memberAccountId: '$accountId', isWaiting: { $eq: ['$commission.confirmation', 'waiting'] } };
  const sums = {
    orders: { $sum: 1 },
    salesOre: { $sum: '$amountOre' },
    owedOre: { $sum: '$commission.commissionOre' },
  };
  const found = await orderRows(store)
    .aggregate<
      Omit<MemberCommission, keyof typeof place> & { readonly _id: Pick<MemberCommission, keyof typeof place> }
    >([
      { $match: { 'commission.resellerAccountId': reseller, completedAt: { $gt: new Date(0) } } },
      { $group: { _id: place, ...sums } },
    ])
    .hint(commissionIndex)
    .readConcern('snapshot')
    .exec();
  return found.map(({ _id, ...owed }) => ({ ..._id, ...owed }));
}
