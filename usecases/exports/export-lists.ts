import { LRUCache } from 'lru-cache';
import type { CsvLanguage } from '../../core/csv.ts';
import type { ItemListEntry } from '../../core/items/describe-item.ts';
import { vatWithinOre } from '../../core/money.ts';
import type { Scope } from '../../core/scope.ts';
import { stateWords } from '../../core/state-words.ts';
import { readItemListQuery } from '../../schemas/items/item-list.ts';
import { readOrderListQuery } from '../../schemas/orders/order-list.ts';
import { readWebhookDeliveryQuery } from '../../schemas/webhooks/webhook-delivery.ts';
import type { SoldGoods } from '../../store/items/items.ts';
import { findListingDefaults } from '../../store/marketplace/marketplace-connections.ts';
import type { Context } from '../context.ts';
import { listItems } from '../items/read-item.ts';
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
const timeText = (iso: string | null): string | null =>
  iso === null
    ? null
    : `${swedishHour(iso.slice(0, hourLength))}${iso.slice(hourLength, '2027-01-31T12:34:56'.length)}`;

const hourLength = '2027-01-31T12'.length;
/** Rows of one list are of few hours, and a format of its own took a quarter of a row's time. */
const swedishHours = new LRUCache<string, string>({ max: 1_000 });

/** @param hour the beginning of an ISO time */
function swedishHour(hour: string): string {
  const text = swedishHours.get(hour) ?? swedishTime.format(new Date(`${hour}:00:00Z`)).slice(0, hourLength);
  swedishHours.set(hour, text);
  return text;
}

const itemColumns: CsvColumns<ItemListEntry> = {
  externalId: { sv: 'Artikel-id', en: 'Item id', cell: ({ externalId }) => externalId },
  title: { sv: 'Titel', en: 'Title', cell: ({ title }) => title },
  domain: { sv: 'Kategori', en: 'Category', cell: ({ domain }) => domain },
  price: { sv: 'Pris', en: 'Price', cell: ({ price }) => price },
  status: {
    sv: 'Status',
    en: 'Status',
    cell: ({ serviceStatus }, language) => stateWords[language].service[serviceStatus],
  },
  auction: {
    sv: 'Auktion',
    en: 'Auction',
    cell: ({ marketplaceStatus }, language) => stateWords[language].marketplace[marketplaceStatus],
  },
  adUrl: { sv: 'Adress', en: 'Address', cell: ({ marketplaceAdUrl }) => marketplaceAdUrl },
  updatedAt: { sv: 'Ändrad', en: 'Updated', cell: ({ updatedAt }) => timeText(updatedAt) },
};

/** The items of the list as a file. Throws Refusal BAD_REQUEST before its first line. */
export function exportItems(
  context: Needs,
  scope: Scope,
  { filters, language, payFor }: ExportWish,
): AsyncIterable<string> {
  readItemListQuery(filters);
  const load = async (cursor: string | undefined) => {
    const { items: rows, nextCursor } = await listItems(context, scope, readItemListQuery(pageOf(filters, cursor)));
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
  id: { sv: 'Order-id', en: 'Order id', cell: ({ order }) => order.id },
  period: { sv: 'Såld i månad', en: 'Month sold', cell: ({ order }) => timeText(order.soldAt)?.slice(0, 7) ?? null },
  soldAt: { sv: 'Såld', en: 'Sold', cell: ({ order }) => timeText(order.soldAt) },
  paidAt: { sv: 'Betald', en: 'Paid', cell: ({ order }) => timeText(order.paidAt) },
  completedAt: { sv: 'Avslutad', en: 'Completed', cell: ({ order }) => timeText(order.completedAt) },
  status: { sv: 'Status', en: 'Status', cell: ({ order }, language) => stateWords[language].order[order.status] },
  externalId: { sv: 'Artikel-id', en: 'Item id', cell: ({ order }) => order.externalId },
  title: { sv: 'Titel', en: 'Title', cell: ({ order }) => order.title },
  platform: {
    sv: 'Såld via',
    en: 'Sold through',
    cell: ({ order }, language) => stateWords[language].platform[order.platform],
  },
  amount: { sv: 'Pris inkl. moms', en: 'Price incl. VAT', cell: ({ order }) => order.amount },
  vatPercent: { sv: 'Moms %', en: 'VAT %', cell: ({ goods }) => goods?.vatPercent ?? null },
  vat: { sv: 'Varav moms', en: 'VAT within', cell: vatOf },
  fee: { sv: 'Avgift', en: 'Fee', cell: ({ order }) => order.fee },
  net: { sv: 'Netto', en: 'Net', cell: ({ order }) => order.net },
  shipping: { sv: 'Frakt', en: 'Shipping', cell: ({ order }) => order.shipping.cost },
  currency: { sv: 'Valuta', en: 'Currency', cell: ({ order }) => order.currency },
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
  createdAt: { sv: 'Tid', en: 'Time', cell: ({ createdAt }) => timeText(createdAt) },
  eventType: { sv: 'Händelse', en: 'Event', cell: ({ eventType }) => eventType },
  externalId: { sv: 'Artikel-id', en: 'Item id', cell: ({ externalId }) => externalId },
  endpointId: { sv: 'Mottagare', en: 'Receiver', cell: ({ endpointId = null }) => endpointId },
  attempt: { sv: 'Försök', en: 'Attempt', cell: ({ attempt }) => attempt },
  status: { sv: 'Resultat', en: 'Result', cell: ({ status }, language) => stateWords[language].delivery[status] },
  httpStatus: { sv: 'HTTP-status', en: 'HTTP status', cell: ({ httpStatus }) => httpStatus },
  durationMs: { sv: 'Svarstid (ms)', en: 'Time taken (ms)', cell: ({ durationMs }) => durationMs },
  errorMessage: { sv: 'Fel', en: 'Error', cell: ({ errorMessage }) => errorMessage },
  eventId: { sv: 'Händelsens id', en: 'Event id', cell: ({ eventId }) => eventId },
  deliveryId: { sv: 'Leveransens id', en: 'Delivery id', cell: ({ deliveryId }) => deliveryId },
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
