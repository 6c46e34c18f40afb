import type { CsvCell, CsvLanguage } from '../../core/csv.ts';
import { deliveryHeadings, itemHeadings, orderHeadings } from '../../core/exported-files.ts';
import { describeStatus } from '../../core/items/describe-item.ts';
import type { Item } from '../../core/items/item.ts';
import { sekFromOre, vatWithinOre } from '../../core/money.ts';
import type { Scope } from '../../core/scope.ts';
import { stateWords } from '../../core/state-words.ts';
import { readItemListQuery } from '../../schemas/items/item-list.ts';
import { readOrderListQuery } from '../../schemas/orders/order-list.ts';
import { readWebhookDeliveryQuery } from '../../schemas/webhooks/webhook-delivery.ts';
import type { SoldGoods } from '../../store/items/items.ts';
import { findListingDefaults } from '../../store/marketplace/marketplace-connections.ts';
import type { Context } from '../context.ts';
import { walkItems } from '../items/read-item.ts';
import { describeOrders, findGoodsOf, readOrderPage, type OrderDescription } from '../orders/read-orders.ts';
import { listWebhookDeliveries, type WebhookDeliveryView } from '../webhooks/webhook-deliveries.ts';
import { csvPages, exportPageRows, type CsvColumns } from './csv-pages.ts';

type Needs = Pick<Context, 'store' | 'itemList' | 'imagesUrl' | 'confirmCredential'>;
/** Parameters of the list, without those of its pages. */
type Filters = Readonly<Record<string, string>>;

const pageOf = (filters: Filters, cursor: string | undefined): Filters => ({
  ...filters,
  limit: String(exportPageRows),
  ...(cursor !== undefined && { cursor }),
});

/** Day and minute in Swedish time, as a spreadsheet reads them. */
const swedishTime = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Stockholm',
  dateStyle: 'short',
  timeStyle: 'medium',
});
const timeText = (iso: string): string => swedishTime.format(new Date(iso));
/** A spreadsheet may make a date of it. */
const timeCell = (iso: string | null): CsvCell => (iso === null ? null : { asRead: timeText(iso) });

/** Title, category and price are those of the caller's own, so that the file can be sent back and changes nothing. */
const itemColumns: CsvColumns<Item> = {
  externalId: { ...itemHeadings.externalId, cell: ({ externalId }) => externalId },
  title: { ...itemHeadings.title, cell: ({ content }) => content.title },
  domain: { ...itemHeadings.domain, cell: ({ content }) => content.domain?.slug ?? null },
  price: { ...itemHeadings.price, cell: ({ content }) => sekFromOre(content.priceOre) },
  status: {
    ...itemHeadings.status,
    cell: ({ serviceStatus }, language) => stateWords[language].service[serviceStatus],
  },
  auction: {
    ...itemHeadings.auction,
    cell: ({ marketplaceStatus }, language) => stateWords[language].marketplace[marketplaceStatus],
  },
  adUrl: { ...itemHeadings.adUrl, cell: (item) => describeStatus(item).marketplaceAdUrl },
  updatedAt: {
    ...itemHeadings.updatedAt,
    cell: ({ changedAt, updatedAt }) => timeCell((changedAt ?? updatedAt).toISOString()),
  },
};

/** The items of the list as a file. Throws Refusal BAD_REQUEST before its first line. */
export function exportItems(
  context: Needs,
  scope: Scope,
  { filters, language }: { filters: Filters; language: CsvLanguage },
): AsyncIterable<string> {
  readItemListQuery(filters);
  const load = async (cursor: string | undefined) => {
    const { items: rows, nextCursor } = await walkItems(context, scope, readItemListQuery(pageOf(filters, cursor)));
    return { rows, nextCursor };
  };
  return csvPages(context, scope, { language, columns: itemColumns, load });
}

interface BookedOrder {
  readonly order: OrderDescription;
  /** undefined once the item's tombstone is removed. */
  readonly goods: SoldGoods | undefined;
}

/** The VAT in the price in SEK; null while the item names no rate. */
const vatOf = ({ order: { amount }, goods }: BookedOrder): number | null =>
  goods?.vatPercent === undefined ? null : vatWithinOre(Math.round(amount * 100), goods.vatPercent) / 100;

const orderColumns: CsvColumns<BookedOrder> = {
  id: { ...orderHeadings.id, cell: ({ order }) => order.id },
  period: { ...orderHeadings.period, cell: ({ order }) => ({ asRead: timeText(order.soldAt).slice(0, 7) }) },
  soldAt: { ...orderHeadings.soldAt, cell: ({ order }) => timeCell(order.soldAt) },
  paidAt: { ...orderHeadings.paidAt, cell: ({ order }) => timeCell(order.paidAt) },
  completedAt: { ...orderHeadings.completedAt, cell: ({ order }) => timeCell(order.completedAt) },
  status: { ...orderHeadings.status, cell: ({ order }, language) => stateWords[language].order[order.status] },
  externalId: { ...orderHeadings.externalId, cell: ({ order }) => order.externalId },
  title: { ...orderHeadings.title, cell: ({ order }) => order.title },
  platform: { ...orderHeadings.platform, cell: ({ order }, language) => stateWords[language].platform[order.platform] },
  amount: { ...orderHeadings.amount, cell: ({ order }) => order.amount },
  vatPercent: { ...orderHeadings.vatPercent, cell: ({ goods }) => goods?.vatPercent ?? null },
  vat: { ...orderHeadings.vat, cell: vatOf },
  fee: { ...orderHeadings.fee, cell: ({ order }) => order.fee },
  net: { ...orderHeadings.net, cell: ({ order }) => order.net },
  shipping: { ...orderHeadings.shipping, cell: ({ order }) => order.shipping.cost },
  currency: { ...orderHeadings.currency, cell: ({ order }) => order.currency },
};

/** The orders of the list for bookkeeping. Throws Refusal BAD_REQUEST before its first line. */
export function exportOrders(
  context: Needs,
  scope: Scope,
  { filters, language }: { filters: Filters; language: CsvLanguage },
): AsyncIterable<string> {
  readOrderListQuery(filters);
  const load = async (cursor: string | undefined) => {
    // An item without a rate of its own has that of the account.
    const { vatPercent } = await findListingDefaults(context.store, scope.accountId);
    const { rows: found, nextCursor } = await readOrderPage(
      context,
      scope,
      readOrderListQuery(pageOf(filters, cursor)),
    );
    const findingGoods = findGoodsOf(context.store, found);
    const orders = await describeOrders(context.store, found, findingGoods);
    const goods = await findingGoods;
    const rows = orders.map((order) => {
      const known = goods.get(order.itemId);
      return { order, goods: known && { ...(vatPercent !== undefined && { vatPercent }), ...known } };
    });
    return { rows, nextCursor };
  };
  return csvPages(context, scope, { language, columns: orderColumns, load });
}

const deliveryColumns: CsvColumns<WebhookDeliveryView> = {
  createdAt: { ...deliveryHeadings.createdAt, cell: ({ createdAt }) => timeCell(createdAt) },
  eventType: { ...deliveryHeadings.eventType, cell: ({ eventType }) => eventType },
  externalId: { ...deliveryHeadings.externalId, cell: ({ externalId }) => externalId },
  endpointId: { ...deliveryHeadings.endpointId, cell: ({ endpointId = null }) => endpointId },
  attempt: { ...deliveryHeadings.attempt, cell: ({ attempt }) => attempt },
  status: { ...deliveryHeadings.status, cell: ({ status }, language) => stateWords[language].delivery[status] },
  httpStatus: { ...deliveryHeadings.httpStatus, cell: ({ httpStatus }) => httpStatus },
  durationMs: { ...deliveryHeadings.durationMs, cell: ({ durationMs }) => durationMs },
  errorMessage: { ...deliveryHeadings.errorMessage, cell: ({ errorMessage }) => errorMessage },
  eventId: { ...deliveryHeadings.eventId, cell: ({ eventId }) => eventId },
  deliveryId: { ...deliveryHeadings.deliveryId, cell: ({ deliveryId }) => deliveryId },
};

/** The log of webhook attempts as a file. Throws Refusal BAD_REQUEST before its first line. */
export function exportDeliveries(
  context: Needs,
  scope: Scope,
  { filters, language }: { filters: Filters; language: CsvLanguage },
): AsyncIterable<string> {
  readWebhookDeliveryQuery(filters);
  const load = async (cursor: string | undefined) => {
    const query = readWebhookDeliveryQuery(pageOf(filters, cursor));
    const { deliveries: rows, nextCursor = null } = await listWebhookDeliveries(context, scope, query);
    return { rows, nextCursor };
  };
  return csvPages(context, scope, { language, columns: deliveryColumns, load });
}
