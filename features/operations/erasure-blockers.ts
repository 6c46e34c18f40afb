import type { AccountId } from '../rules/ids.ts';
import { counted } from '../rules/counted.ts';
import { hasLinesToApply } from '../bulk-syncs/store/bulk-syncs.ts';
import { listUpOrWanted } from '../items/store/items.ts';
import { listShippingOwed } from '../orders/store/order-list.ts';
import { listInProgress } from '../orders/store/orders.ts';
import { findSubscription } from '../partner/store/subscriptions.ts';
import { findCurrentDeal } from '../resellers/store/deals.ts';
import { listConnections } from '../resellers/store/member-connections.ts';
import type { OperationsContext } from './find-account.ts';

/** Why an account can't be erased yet, for operators. */
export interface Blocker {
  readonly what: string;
  /** Ids, at most ten. */
  readonly ids: readonly string[];
  readonly howToEnd: string;
}

type Needs = Pick<OperationsContext, 'store' | 'now'>;

/** What an account still has with others: auctions, orders, lines of bulk syncs, a subscription, members. */
export async function findBlockers(context: Needs, account: AccountId): Promise<Blocker[]> {
  const found = await Promise.all([
    upForAuction(context, account),
    ordersInProgress(context, account),
    shippingOwed(context, account),
    linesToApply(context, account),
    paidService(context, account),
    agreement(context, account),
  ]);
  return found.flat();
}

async function upForAuction({ store }: Needs, account: AccountId): Promise<Blocker[]> {
  const up = await listUpOrWanted(store, account);
  const what = `${counted(up.length, 'auction')} up, or about to be`;
  const howToEnd =
    'DELETE of the item or status not_listed takes an auction without bids down; the others end by themselves';
  return up.length === 0 ? [] : [{ what, ids: some(up), howToEnd }];
}

async function ordersInProgress({ store }: Needs, account: AccountId): Promise<Blocker[]> {
  const orders = await listInProgress(store, account);
  const what = `${counted(orders.length, 'order')} unpaid or undelivered`;
  const howToEnd = 'the partner completes or cancels it, or: itembridge ops order void ORDER';
  return orders.length === 0 ? [] : [{ what, ids: some(orders), howToEnd }];
}

/** Else the buyer's payment would wait for a step that the partner has taken. */
async function shippingOwed({ store }: Needs, account: AccountId): Promise<Blocker[]> {
  const owed = (await listShippingOwed(store, account, 1_000)).filter(({ state }) => state !== 'cancelled');
  const what = `${counted(owed.length, 'order')} of which the marketplace does not know yet that it was sent`;
  const howToEnd = 'the worker tells it, while the marketplace is connected; or: itembridge ops order void ORDER';
  return owed.length === 0 ? [] : [{ what, ids: some(owed.map(({ _id }) => _id)), howToEnd }];
}

async function linesToApply({ store }: Needs, account: AccountId): Promise<Blocker[]> {
  if (!(await hasLinesToApply(store, account))) return [];
  const howToEnd = 'they are applied within minutes, or their sender cancels it: itembridge sync cancel';
  return [{ what: 'lines of a bulk sync that wait to be applied', ids: [], howToEnd }];
}

async function paidService({ store, now }: Needs, account: AccountId): Promise<Blocker[]> {
  const row = await findSubscription(store, account);
  if (row === null) return [];
  const { state, checkout, checkAt, customerIds } = row;
  // While a check is planned, one of its subscriptions or its checkout has not ended, whatever the tier.
  if (state.tier === 'free' && checkAt === undefined) return [];
  if (state.tier === 'free' && checkout !== null && checkout.closesAt > now()) {
    const howToEnd = `expire it at the payment processor, or wait until ${checkout.closesAt.toISOString()}; the worker must have seen it`;
    return [{ what: 'a checkout that may still be paid', ids: [checkout.sessionId], howToEnd }];
  }
  const ids = state.subscriptionId === null ? some(customerIds) : [state.subscriptionId];
  const howToEnd =
    'cancel it at the payment processor, at once or at the end of the paid time; it must have ended, and the worker have seen it';
  return [{ what: 'a subscription', ids, howToEnd }];
}

async function agreement({ store }: Needs, account: AccountId): Promise<Blocker[]> {
  if ((await findCurrentDeal(store, account))?.kind !== 'reseller_agreement') return [];
  const members = await listConnections(store, account);
  return [
    {
      what: `a reseller agreement with ${counted(members.length, 'member')}`,
      ids: some(members.map(({ memberAccountId }) => memberAccountId)),
      howToEnd: 'itembridge revoke-reseller --email EMAIL; its members leave with it',
    },
  ];
}

const some = (ids: readonly string[]): readonly string[] => ids.slice(0, 10);
