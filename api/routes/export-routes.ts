import Type from 'typebox';
import { csvLanguages } from '../../features/rules/csv.ts';
import { itemListParameters } from '../../schemas/items/item-list.ts';
import { orderListParameters } from '../../schemas/orders/order-list.ts';
import { webhookDeliveryParameters } from '../../schemas/webhooks/webhook-delivery.ts';
import { exportRowsMax } from '../../features/partner/csv-pages.ts';
import { exportDeliveries, exportItems, exportOrders } from '../../features/partner/export-lists.ts';
import { problem } from '../../features/rules/field-problems.ts';
import { payerOfScope } from '../../features/rules/scope.ts';
import { badQuery, oneOf, readQuery } from '../../schemas/query.ts';
import { pointsOfRows } from '../http/rate-limit.ts';
import type { Answer, Parameter, Route, ScopedCall } from '../http/route.ts';

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

type Export = typeof exportItems | typeof exportOrders | typeof exportDeliveries;

/** Answers a list as a download with this file name. */
const csvOf =
  (name: string, write: Export) =>
  async ({ context, scope, query, pay, whenClosed }: ScopedCall): Promise<Answer> => {
    const { language: wanted, ...filters } = query;
    const { language = 'sv' } = readQuery(wanted === undefined ? {} : { language: wanted }, {
      language: oneOf(csvLanguages),
    });
    const ofPages = ['limit', 'cursor'].filter((one) => Object.hasOwn(filters, one));
    if (ofPages.length > 0) throw badQuery(ofPages.map((field) => problem(field, 'unknown_parameter')));
    const chunks = write(context, scope, { filters, language, payFor: (rows) => pay(pointsOfRows(rows)) });
    whenClosed(context.places.export.take(payerOfScope(scope)));
    const headers = { 'Content-Disposition': `attachment; filename="${name}.csv"` };
    return { status: 200, headers, stream: { type: 'text/csv; charset=utf-8', chunks } };
  };

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
    handle: csvOf('items', exportItems),
  },
  {
    ...csv,
    path: '/partner/orders.csv',
    tag: 'Orders',
    name: 'exportOrders',
    summary: 'Read the orders as a CSV file, for bookkeeping',
    description: `With the title of the item, its VAT rate and the VAT within the price, as long as the item is kept. ${bound}`,
    query: filtersOf(orderListParameters),
    handle: csvOf('orders', exportOrders),
  },
  {
    ...csv,
    path: '/partner/webhook-deliveries.csv',
    tag: 'Webhooks',
    name: 'exportWebhookDeliveries',
    summary: 'Read the log of webhook attempts as a CSV file',
    description: bound,
    query: filtersOf(webhookDeliveryParameters),
    handle: csvOf('webhook-deliveries', exportDeliveries),
  },
];
