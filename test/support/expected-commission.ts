import type { AccountId } from '../../features/rules/ids.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';

// What a reseller owes as the rules say it, from all stored orders and all versions of all deals: slow, with nothing of the product's
// own code. An order owes by its own sale: whose member its account was then, and what had been agreed then. Money is BigInt. Whether an
// order waits depends on which one was completed first, so it is read from the order; `requireFirstFit` says whether it may be so.

interface StoredDeal {
  readonly accountId: string;
  readonly kind: string;
  readonly commissionBps: number | null;
  readonly resellerAccountId: string | null;
  readonly validFrom: Date;
  readonly validTo: Date | null;
}

interface StoredOrder {
  readonly accountId: string;
  readonly state: string;
  readonly amountOre: number;
  readonly soldAt: Date;
  readonly platform: string;
  readonly completedAt: Date | null;
  readonly commission: { readonly resellerAccountId: string; readonly confirmation?: 'waiting' | 'given' } | null;
}

/** As `GET /business/my-deal` shows it. */
export interface ExpectedCommission extends ExpectedSums {
  readonly currency: 'SEK';
  readonly waiting: ExpectedSums;
}

interface ExpectedSums {
  readonly orders: number;
  readonly sales: number;
  readonly owed: number;
  readonly members: readonly { memberUserId: string; orders: number; sales: number; owed: number }[];
}

export async function expectedCommission(store: StoreConnection, reseller: AccountId): Promise<ExpectedCommission> {
  const [deals, orders] = await Promise.all([
    store.connection.collection<StoredDeal>('deals').find().toArray(),
    store.connection.collection<StoredOrder>('orders').find().toArray(),
  ]);
  const at = (account: string, time: Date): StoredDeal | undefined =>
    deals.find(
      ({ accountId, validFrom, validTo }) =>
        accountId === account && validFrom <= time && (validTo === null || time < validTo),
    );
  const owing = orders
    .filter(
      ({ state, accountId, soldAt }) => state === 'completed' && at(accountId, soldAt)?.resellerAccountId === reseller,
    )
    .map((order) => {
      const bps = BigInt(at(reseller, order.soldAt)?.commissionBps ?? -1);
      const amount = BigInt(order.amountOre);
      const isWaiting = order.commission?.confirmation === 'waiting';
      // Half up: twice the amount, so that the half is a whole number too.
      return { member: order.accountId, amount, owed: (2n * amount * bps + 10_000n) / 20_000n, isWaiting };
    });
  const shown = (some: typeof owing) => ({
    orders: some.length,
    sales: sek(some.reduce((sum, { amount }) => sum + amount, 0n)),
    owed: sek(some.reduce((sum, { owed }) => sum + owed, 0n)),
  });
  const byMember = (some: typeof owing) =>
    [...new Set(some.map(({ member }) => member))]
      .map((memberUserId) => ({ memberUserId, ...shown(some.filter(({ member }) => member === memberUserId)) }))
      .sort((a, b) => (a.owed === b.owed ? (a.memberUserId < b.memberUserId ? -1 : 1) : b.owed - a.owed));
  const sums = (some: typeof owing): ExpectedSums => ({ ...shown(some), members: byMember(some) });
  const [owed, waiting] = [owing.filter((one) => !one.isWaiting), owing.filter((one) => one.isWaiting)];
  return { ...sums(owed), currency: 'SEK', waiting: sums(waiting) };
}

/**
 * No member's direct sales of a month count for more than 100,000 SEK by themselves, and none waits that would have fitted:
 * what counts only grows, unless an order was voided. Throws otherwise.
 */
export async function requireFirstFit(store: StoreConnection, { isVoided }: { isVoided: boolean }): Promise<void> {
  const orders = await store.connection.collection<StoredOrder>('orders').find({ state: 'completed' }).toArray();
  const groupOf = ({ accountId, completedAt, commission }: StoredOrder): string =>
    [accountId, commission?.resellerAccountId, completedAt?.toISOString().slice(0, 7)].join();
  const direct = orders.filter(({ platform, commission }) => platform !== 'marketplace' && commission !== null);
  const counted = new Map<string, number>();
  for (const order of direct.filter(({ commission }) => commission?.confirmation === undefined))
    counted.set(groupOf(order), (counted.get(groupOf(order)) ?? 0) + order.amountOre);
  const max = 10_000_000;
  for (const [group, ore] of counted) if (ore > max) throw new Error(`${group}: ${ore} öre count by themselves`);
  for (const order of direct.filter(({ commission }) => commission?.confirmation !== undefined))
    if (!isVoided && (counted.get(groupOf(order)) ?? 0) + order.amountOre <= max)
      throw new Error(`${groupOf(order)}: an order of ${order.amountOre} öre waits that fits`);
}

/** By its decimal text, so that no arithmetic with fractions is done. */
function sek(ore: bigint): number {
  const digits = String(ore).padStart(3, '0');
  return Number(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
}
