import { csvLanguages } from '../../features/rules/csv.ts';
import { problem } from '../../features/rules/field-problems.ts';
import { payerOfScope } from '../../features/rules/scope.ts';
import { badQuery, oneOf, readQuery } from '../../schemas/query.ts';
import { exportDeliveries, exportItems, exportOrders } from '../../features/partner/export-lists.ts';
import { pointsOfRows } from '../http/rate-limit.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

const csvType = 'text/csv; charset=utf-8';
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
    return { status: 200, headers, stream: { type: csvType, chunks } };
  };

export const getItemsCsv = csvOf('items', exportItems);
export const getOrdersCsv = csvOf('orders', exportOrders);
export const getDeliveriesCsv = csvOf('webhook-deliveries', exportDeliveries);
