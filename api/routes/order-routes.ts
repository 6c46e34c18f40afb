import {
  newOrderSchema,
  orderChangeSchema,
  readNewOrder,
  readOrderChange,
} from '../../schemas/orders/order-requests.ts';
import { orderListParameters, orderListSchema, readOrderListQuery } from '../../schemas/orders/order-list.ts';
import { orderSchema, orderWithBuyerSchema } from '../../schemas/orders/order.ts';
import { type Route, ok, param, type Answer, type ScopedCall } from '../http/route.ts';
import { anyText, ifMatch, itemHeaders as headers } from './parameters.ts';
import { orderId } from '../../features/rules/ids.ts';
import { readQuery } from '../../schemas/query.ts';
import { changeOrder } from '../../features/orders/change-order.ts';
import { listOrders, readOrder, type OrderAnswer } from '../../features/orders/read-orders.ts';
import { recordDirectSale } from '../../features/orders/record-direct-sale.ts';
import { readIfMatch } from '../http/if-match.ts';

const tag = 'Orders';
export const orderParams = { id: { ...anyText('The `id` of an order', 'ord_90019'), component: 'OrderId' } };

const one = { description: 'The order', schema: orderWithBuyerSchema, headers };
const changed = { description: 'The order as it is now', schema: orderSchema, headers };

const listing = {
  method: 'get',
  tag,
  query: orderListParameters,
  answers: {
    200: { description: 'The last recorded first; with `updatedSince` oldest change first', schema: orderListSchema },
  },
  refusals: ['BAD_REQUEST'],
  handle: async ({ context, scope, query }: ScopedCall) => ok(listOrders(context, scope, readOrderListQuery(query))),
} as const;

const reading = {
  method: 'get',
  tag,
  params: orderParams,
  answers: { 200: one },
  refusals: ['NOT_FOUND'],
  handle: async (call: ScopedCall) => {
    readQuery(call.query, {});
    return answerOrder(await readOrder(call.context, call.scope, orderId(param(call, 'id'))));
  },
} as const;

const changing = {
  method: 'patch',
  tag,
  params: orderParams,
  headers: { 'If-Match': ifMatch },
  request: { schema: orderChangeSchema },
  answers: { 200: changed },
  refusals: ['BAD_REQUEST', 'NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
  handle: async (call: ScopedCall) => {
    readQuery(call.query, {});
    const change = { orderId: orderId(param(call, 'id')), ...readOrderChange(call.body), ...readIfMatch(call) };
    return answerOrder(await changeOrder(call.context, call.scope, change));
  },
} as const;

const steps = [
  '`status`: `pending` becomes `paid` or `cancelled`, `paid` becomes `completed` or `cancelled`; the status it has already changes nothing. Payments of won auctions are also read from the marketplace.',
  'When the last order in progress of an item is over, a DELETE removes the item. One whose order was cancelled stays `sold` until its status is set to `not_listed` or it is deleted.',
  '`shipping`: it was sent. `{}` is enough; the marketplace is told of a won auction, without carrier and number, which it does not take.',
  '',
  '- 409 `CONFLICT`: any other step of the status, or a cancelled order that is said to be sent.',
  '- 412 `PRECONDITION_FAILED`: the order has changed since the `ETag` in `If-Match`.',
].join('\n');

const onlyWhileShared = 'only while that member shares its orders (otherwise 403 `PARTNER_ACCOUNT_FORBIDDEN`).';
const sharedOnly = `A reseller names a member with \`X-Partner-Account\`, and is answered ${onlyWhileShared}`;
const sharedOnlyBySession = `A reseller names a member by \`member\`, and is answered ${onlyWhileShared}`;

const integrationOrderRoutes: readonly Route[] = [
  {
    ...listing,
    path: '/integration/v1/orders',
    credential: 'api-key',
    keyScope: 'orders:read',
    name: 'listIntegrationOrders',
    summary: 'List the orders',
    description: [
      `What was sold, how it is paid and how far it is on its way; without the buyers, which one order at a time tells. ${sharedOnly}`,
      'To follow changes, keep `nextUpdatedSince` of the last page, and ask with it as `updatedSince` next time.',
    ].join('\n'),
  },
  {
    ...reading,
    path: '/integration/v1/orders/{id}',
    credential: 'api-key',
    keyScope: 'orders:read',
    name: 'getIntegrationOrder',
    summary: 'Read an order with its buyer',
    description: `\`orderId\` of \`item.sold\` and of \`order.*\` is its \`id\`. ${sharedOnly}`,
  },
  {
    ...changing,
    path: '/integration/v1/orders/{id}',
    credential: 'api-key',
    keyScope: 'orders:write',
    name: 'updateIntegrationOrder',
    summary: 'Change the status of an order, or say that it was sent',
    description: `${steps}\n\n${sharedOnly}`,
  },
];

/** With `member` a session may do what a key may with `X-Partner-Account`, under the same condition. */
const forSharingMembers = { credential: 'jwt', forMembers: true } as const;
const memberRefusals = ['PARTNER_ACCOUNT_FORBIDDEN', 'NOT_FOUND'] as const;

export const orderRoutes: readonly Route[] = [
  ...integrationOrderRoutes,
  {
    ...listing,
    ...forSharingMembers,
    path: '/partner/orders',
    name: 'listOrders',
    summary: 'List the orders',
    description: `The account's own, or those of one member. What is recorded while somebody reads stands before the first page. ${sharedOnlyBySession}`,
    refusals: ['BAD_REQUEST', ...memberRefusals],
  },
  {
    method: 'post',
    path: '/partner/orders',
    credential: 'jwt',
    tag,
    idempotent: true,
    name: 'createOrder',
    summary: 'Record a direct sale',
    description: [
      'The item is `sold` at once, `item.sold` is sent, and its auction, if one is up, is taken down. A draft can be sold too. Winning bids become orders by themselves.',
      '',
      'Bids that the service does not know of yet may forbid the take-down: then `listing.failed` (`TAKEDOWN_REFUSED_BIDS`) is sent, and a winner makes a second order of the same item. Both name each other in `conflictingOrderIds` until all but one are cancelled.',
      '',
      'An `amount` of 10,000 SEK or more that is ten times the price of the item or more is refused as a likely slip (422, `isAmountConfirmed`); sent again with `"isAmountConfirmed": true` it is recorded.',
      '',
      '409 `CONFLICT`: the item is sold, archived, has an order in progress, or its auction is known to have bids.',
    ].join('\n'),
    request: { schema: newOrderSchema },
    answers: { 201: { description: 'The order', schema: orderSchema } },
    refusals: ['NOT_FOUND', 'CONFLICT'],
    handle: async ({ context, scope, query, body }: ScopedCall) => {
      readQuery(query, {});
      const order = await recordDirectSale(context, scope, readNewOrder(body));
      return { status: 201, body: order, headers: { Location: `/partner/orders/${order.id}` } };
    },
  },
  {
    ...reading,
    ...forSharingMembers,
    path: '/partner/orders/{id}',
    name: 'getOrder',
    summary: 'Read an order with its buyer',
    description: `What was sold, where, for how much and to whom, and how far the order has come. ${sharedOnlyBySession}`,
    refusals: memberRefusals,
  },
  {
    ...changing,
    ...forSharingMembers,
    path: '/partner/orders/{id}',
    name: 'updateOrder',
    summary: 'Change the status of an order, or say that it was sent',
    description: `${steps}\n\n${sharedOnlyBySession}`,
    refusals: ['BAD_REQUEST', ...memberRefusals, 'CONFLICT', 'PRECONDITION_FAILED'],
  },
];

const answerOrder = ({ order, tag }: OrderAnswer): Answer => ({
  status: 200,
  body: order,
  headers: { ETag: `"${tag}"` },
});
