import type { AccountId } from '../rules/ids.ts';
import { counted } from '../rules/counted.ts';
import { isUp } from '../items/rules/item.ts';
import { createItemStore } from '../items/store/items.ts';
import { listInProgress } from '../orders/store/orders.ts';
import { findSubscription, isCheckoutCompleted } from '../partner/store/subscriptions.ts';
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

/** What an account still has with others: auctions, orders, a subscription, members. */
export async function findBlockers(context: Needs, account: AccountId): Promise<Blocker[]> {
  const found = await Promise.all([
    upForAuction(context, account),
    ordersInProgress(context, account),
    paidService(context, account),
    agreement(context, account),
  ]);
  return found.flat();
}

async function upForAuction({ store }: Needs, account: AccountId): Promise<Blocker[]> {
  const watched = await createItemStore(store).listWatched(account);
  const up = watched.filter(({ listings }) => listings.some(isUp));
  const howToEnd =
    'DELETE of the item or status not_listed takes an auction without bids down; the others end by themselves';
  return up.length === 0
    ? []
    : [{ what: `${counted(up.length, 'auction')} up`, ids: some(up.map(({ id }) => id)), howToEnd }];
}

async function ordersInProgress({ store }: Needs, account: AccountId): Promise<Blocker[]> {
  const orders = await listInProgress(store, account);
  const what = `${counted(orders.length, 'order')} unpaid or undelivered`;
  const howToEnd = 'the partner completes or cancels it, or: itembridge ops order void ORDER';
  return orders.length === 0 ? [] : [{ what, ids: some(orders), howToEnd }];
}

async function paidService({ store, now }: Needs, account: AccountId): Promise<Blocker[]> {
  const row = await findSubscription(store, account);
  if (row === null) return [];
  const { state, checkout } = row;
  if (state.tier !== 'free')
    return [
      {
        what: 'a subscription',
        ids: state.subscriptionId === null ? [] : [state.subscriptionId],
        howToEnd: 'cancel it at the payment processor, at once or at the end of the paid time; it must have ended',
      },
    ];
  if (checkout === null || checkout.closesAt <= now()) return [];
  if (await isCheckoutCompleted(store, account, checkout.openedAt)) return [];
  const howToEnd = `expire it at the payment processor, or wait until ${checkout.closesAt.toISOString()}`;
  return [{ what: 'a checkout that may still be paid', ids: [checkout.sessionId], howToEnd }];
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
