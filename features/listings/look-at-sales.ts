import { itemId, type ItemId, type OrderId } from '../rules/ids.ts';
import type { Item } from '../items/rules/item.ts';
import { hammerOrderId, recordHammerSale, recordPaid, type HammerSale } from './rules/auction-end.ts';
import { publicationNamed, withNamedAd } from './rules/publication.ts';
import type { SellerTransaction } from '../../gateways/marketplace/port.ts';
import type { PaidOrder } from '../orders/follow-marketplace-orders.ts';
import { observe, type Look } from './look.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** An auction that counts as ended may be sold later, to another bidder: so often sales are read without any other reason. */
const salesAtLeastMs = 6 * hourMs;
/** Payments are told with the sale, and it is not known whether the marketplace filters by the sale or by the payment. */
const overlapDays = { usual: 1, unpaid: 60 } as const;

/**
 * Reads the sales, when they are needed or were not read for long, and records those that are new. Returns the ads that were sold.
 * Repeated rows change nothing.
 */
export async function readSales(look: Look, isNeeded: boolean): Promise<ReadonlySet<string>> {
  const { feeds, seller, account, watch, startedAt, salesReadAt } = look;
  if (!isNeeded && startedAt.getTime() - salesReadAt.getTime() < salesAtLeastMs) return new Set();
  const days = isNeeded ? overlapDays.unpaid : overlapDays.usual;
  const sales = await look.call(() => feeds.readTransactions(seller, new Date(salesReadAt.getTime() - days * dayMs)));
  // The first one first: after a restore each opens its publication, and an older one is no longer opened.
  const news = (await onlyNews(look, sales)).toSorted((one, other) => one.soldAt.getTime() - other.soldAt.getTime());
  const itemOf = await itemsOfSales(look, news);
  for (const sale of news) await takeSale(look, sale, itemOf(sale));
  await watch.saveLook(account, { salesReadAt: startedAt });
  return new Set(sales.map(({ adId }) => adId));
}

/** Without those whose order has everything that the row tells: most rows are repeats. */
async function onlyNews(
  { orders, account, seller }: Look,
  sales: readonly SellerTransaction[],
): Promise<SellerTransaction[]> {
  const known = await orders.findPayments(
    account,
    sales.map(({ transactionId }) => hammerOrderId(transactionId, seller)),
  );
  return sales.filter(({ transactionId, isPaid }) => {
    const isKnownPaid = known.get(hammerOrderId(transactionId, seller));
    return isKnownPaid === undefined || (isPaid && !isKnownPaid);
  });
}

type ItemOf = (sale: SellerTransaction) => Item | undefined;

/** By the ad, else by our own reference: an auction that its seller restarted at the marketplace has another ad. */
async function itemsOfSales({ items, account }: Look, sales: readonly SellerTransaction[]): Promise<ItemOf> {
  if (sales.length === 0) return () => undefined;
  const found = await items.findByAdIds(
    account,
    sales.map(({ adId }) => adId),
  );
  const byAdId = new Map(found.flatMap((item) => item.listings.map(({ adId }) => [adId, item] as const)));
  const named = sales.filter(({ adId }) => !byAdId.has(adId)).flatMap((sale) => publicationNamed(sale) ?? []);
  const others =
    named.length === 0
      ? []
      : await items.findByIds(
          account,
          named.map((one) => itemId(one.itemId)),
        );
  const byId = new Map<string, Item>(others.map((item) => [item.id, item]));
  return (sale) => byAdId.get(sale.adId) ?? byId.get(publicationNamed(sale)?.itemId ?? '');
}

async function takeSale(look: Look, sale: SellerTransaction, item: Item | undefined): Promise<void> {
  const { transactionId, adId, adUrl, soldAt, amountKronor, isPaid } = sale;
  const orderId = hammerOrderId(transactionId, look.seller);
  const hammer = {
    orderId,
    adId,
    adUrl,
    soldAt,
    isPaid,
    amountOre: Math.round(amountKronor * 100),
    feeBps: look.platformFeeBps,
  };
  const named = publicationNamed(sale);
  const ad = { publication: named?.publication ?? 0, adId };
  const sold = item && (await takeSold(look, item, { ad, hammer }));
  // A restored database has forgotten the item, or the auction: no other log or event would tell of the sale.
  if (sold !== true && named !== undefined && look.isUnseen)
    look.logger.warn({ accountId: look.account, itemId: named.itemId, adId, orderId }, 'sale.item_unknown');
  if (isPaid) await takePayment(look, { orderId, adId }, item?.id);
}

/** Returns whether the item has the sale now. */
async function takeSold(
  look: Look,
  item: Item,
  { ad, hammer }: { readonly ad: Parameters<typeof withNamedAd>[1]; readonly hammer: HammerSale },
): Promise<boolean> {
  const seen = { isRecorded: false };
  await observe(look, item.id, (current) => {
    const sold = recordHammerSale(withNamedAd(current, ad, look.now()), hammer, look.now());
    seen.isRecorded = sold.listings.some(({ orderIds }) => orderIds.includes(hammer.orderId));
    return sold;
  });
  return seen.isRecorded;
}

/** Payments that the marketplace's orders told. */
export async function takePayments(look: Look, paid: readonly PaidOrder[]): Promise<void> {
  for (const one of paid) await takePayment(look, one, undefined);
}

/**
 * The item comes first, so an order not inserted yet is inserted as paid. A crash in between is repaired when the payment is read again.
 * An item that sold hundreds since has forgotten the auction, and is found by the order.
 */
async function takePayment(
  look: Look,
  paid: { readonly orderId: OrderId; readonly adId: string },
  known: ItemId | undefined,
): Promise<void> {
  const { orders, account, now } = look;
  const id = known ?? (await orders.findItemId(account, paid.orderId));
  if (id === null) return;
  await observe(look, id, (current) => recordPaid(current, paid, now()));
  await orders.markPaid(account, paid.orderId, now());
}
