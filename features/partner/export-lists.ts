import { LRUCache } from 'lru-cache';
import type { CsvCell, CsvLanguage } from '../rules/csv.ts';
import { deliveryHeadings, itemHeadings, orderHeadings } from '../rules/exported-files.ts';
import { describeStatus, type ListedItem } from '../items/rules/describe-item.ts';
import { sekFromOre, vatWithinOre } from '../rules/money.ts';
import type { Scope } from '../rules/scope.ts';
import { stateWords } from '../rules/state-words.ts';
import { readItemListQuery } from '../../schemas/items/item-list.ts';
import { readOrderListQuery } from '../../schemas/orders/order-list.ts';
import { readWebhookDeliveryQuery } from '../../schemas/webhooks/webhook-delivery.ts';
import type { SoldGoods } from '../items/store/items.ts';
import { findListingDefaults } from '../listings/store/marketplace-connections.ts';
import type { Context } from '../context.ts';
import { walkItems } from '../items/read-item.ts';
import { describeOrders, findGoodsOf, readOrderPage, type OrderDescription } from '../orders/read-orders.ts';
import { listWebhookDeliveries, type WebhookDeliveryView } from '../webhooks/webhook-deliveries.ts';
import { csvPages, exportPageRows, type CsvColumns, type PayForRows } from './csv-pages.ts';

type Needs = Pick<Context, 'store' | 'itemList' | 'imagesUrl' | 'confirmCredential'>;
/** Parameters of the list, without those of its pages. */
type Filters = Readonly<Record<string, string>>;

interface ExportWish {
  readonly filters: Filters;
  readonly language: CsvLanguage;
  readonly payFor: PayForRows;
}

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
const timeText = (iso: string): string =>
  `${swedishHour(iso.slice(0, hourLength))}${iso.slice(hourLength, '2027-01-31T12:34:56'.length)}`;

const hourLength = '2027-01-31T12'.length;
/** Rows of one list are of few hours, and a format of its own took a quarter of a row's time. */
const swedishHours = new LRUCache<string, string>({ max: 1_000 });

/** @param hour the beginning of an ISO time */
function swedishHour(hour: string): string {
  const text = swedishHours.get(hour) ?? swedishTime.format(new Date(`${hour}:00:00Z`)).slice(0, hourLength);
  swedishHours.set(hour, text);
  return text;
}
/** A spreadsheet may make a date of it. */
const timeCell = (iso: string | null): CsvCell => (iso === null ? null : { asRead: timeText(iso) });

/** Title, category and price are those of the caller's own, so that the file can be sent back and changes nothing. */
const itemColumns: CsvColumns<ListedItem> = {
  externalId: { ...itemHeadings.externalId, cell: ({ externalId }) => externalId },
  title: { ...itemHeadings.title, cell: ({ content }) => content.title },
  domain: { ...itemHeadings.domain, cell: ({ ownDomain }) => ownDomain },
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
    cell: ({ changedAt }) => timeCell(changedAt.toISOString()),
  },
};

/** The items of the list as a file. Throws Refusal BAD_REQUEST before its first line. */
export function exportItems(
  context: Needs,
  scope: Scope,
  { filters, language, payFor }: ExportWish,
): AsyncIterable<string> {
  readItemListQuery(filters);
  const load = async (cursor: string | undefined) => {
    const { items: rows, nextCursor } = await walkItems(context, scope, readItemListQuery(pageOf(filters, cursor)));
    return { rows, nextCursor };
  };
  return csvPages(context, scope, { language, columns: itemColumns, load, payFor });
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
  { filters, language, payFor }: ExportWish,
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
  return csvPages(context, scope, { language, columns: orderColumns, load, payFor });
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
  { filters, language, payFor }: ExportWish,
): AsyncIterable<string> {
  readWebhookDeliveryQuery(filters);
  const load = async (cursor: string | undefined) => {
    const query = readWebhookDeliveryQuery(pageOf(filters, cursor));
    const { deliveries: rows, nextCursor = null } = await listWebhookDeliveries(context, scope, query);
    return { rows, nextCursor };
  };
  return csvPages(context, scope, { language, columns: deliveryColumns, load, payFor });
}
