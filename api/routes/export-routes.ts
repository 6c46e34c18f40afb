import Type from 'typebox';
import { csvLanguages } from '../../features/rules/csv.ts';
import { itemListParameters } from '../../schemas/items/item-list.ts';
import { orderListParameters } from '../../schemas/orders/order-list.ts';
import { webhookDeliveryParameters } from '../../schemas/webhooks/webhook-delivery.ts';
import { exportRowsMax } from '../../features/partner/csv-pages.ts';
import { getDeliveriesCsv, getItemsCsv, getOrdersCsv } from '../handlers/exports.ts';
import type { Parameter, Route } from '../http/route.ts';

/** The parameters of the list, without those of its pages. */
const filtersOf = ({
  limit: _limit,
  cursor: _cursor,
  ...filters
}: Readonly<Record<string, Parameter>>): Record<string, Parameter> => ({
  ...filters,
  language: {
    component: 'CsvLanguage',
    description: 'Of the headings, and how numbers are written: `sv` has `;` and a decimal comma, `en` `,` and a point',
    schema: Type.Enum([...csvLanguages], { $id: 'CsvLanguage' }),
  },
});

const csv = {
  method: 'get',
  credential: 'jwt',
  answers: { 200: { description: 'The file, UTF-8 with a byte order mark', contentType: 'text/csv' } },
  refusals: ['BAD_REQUEST'],
} as const;

const bound = `By the filters of the list and in its order, as a stream of at most ${exportRowsMax.toLocaleString('en')} rows: a file that can't hold all says so in its last line. Text that a spreadsheet would take for a formula begins with an apostrophe. It costs a point of the rate limit for each 50 rows: where none is left it is not refused, it is sent as fast as points come back. An account gets two files at once, for a third 429 \`RATE_LIMITED\`.`;

/** Lists as files for spreadsheets. */
export const exportRoutes: readonly Route[] = [
  {
    ...csv,
    path: '/partner/items.csv',
    tag: 'Items',
    forMembers: true,
    name: 'exportItems',
    summary: 'Read the items as a CSV file',
    description: bound,
    query: filtersOf(itemListParameters),
    refusals: ['BAD_REQUEST', 'NOT_FOUND'],
    handle: getItemsCsv,
  },
  {
    ...csv,
    path: '/partner/orders.csv',
    tag: 'Orders',
    name: 'exportOrders',
    summary: 'Read the orders as a CSV file, for bookkeeping',
    description: `With the title of the item, its VAT rate and the VAT within the price, as long as the item is kept. ${bound}`,
    query: filtersOf(orderListParameters),
    handle: getOrdersCsv,
  },
  {
    ...csv,
    path: '/partner/webhook-deliveries.csv',
    tag: 'Webhooks',
    name: 'exportWebhookDeliveries',
    summary: 'Read the log of webhook attempts as a CSV file',
    description: bound,
    query: filtersOf(webhookDeliveryParameters),
    handle: getDeliveriesCsv,
  },
];
