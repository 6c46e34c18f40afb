import type { AccountId } from '../../core/ids.ts';
import type { StoreConnection } from '../../store/database/connection.ts';

// What a reseller owes as the rules say it, from all stored orders and all versions of all deals: slow, with nothing of the product's
// own code. An order owes by its own sale: whose member its account was then, and what had been agreed then. Money is BigInt.

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
}

/** As `GET /business/my-deal` shows it. */
export interface ExpectedCommission {
  readonly orders: number;
  readonly sales: number;
  readonly owed: number;
  readonly currency: 'SEK';
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
      // Half up: twice the amount, so that the half is a whole number too.
      return { member: order.accountId, amount, owed: (2n * amount * bps + 10_000n) / 20_000n };
    });
  const shown = (some: typeof owing) => ({
    orders: some.length,
    sales: sek(some.reduce((sum, { amount }) => sum + amount, 0n)),
    owed: sek(some.reduce((sum, { owed }) => sum + owed, 0n)),
  });
  const members = [...new Set(owing.map(({ member }) => member))]
    .map((memberUserId) => ({ memberUserId, ...shown(owing.filter(({ member }) => member === memberUserId)) }))
    .sort((a, b) => (a.owed === b.owed ? (a.memberUserId < b.memberUserId ? -1 : 1) : b.owed - a.owed));
  return { ...shown(owing), currency: 'SEK', members };
}

/** By its decimal text, so that no arithmetic with fractions is done. */
function sek(ore: bigint): number {
  const digits = String(ore).padStart(3, '0');
  return Number(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
}
