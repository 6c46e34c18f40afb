import { newOrderSchema } from '../../schemas/orders/new-order.ts';
import { orderChangeSchema } from '../../schemas/orders/order-change.ts';
import { orderListParameters, orderListSchema } from '../../schemas/orders/order-list.ts';
import { orderSchema } from '../../schemas/orders/order.ts';
import type { Route } from '../http/route.ts';
import { anyText } from './path-parameters.ts';
import { getOrder, getOrders, patchOrder, postOrder } from '../handlers/orders.ts';

const credential = 'jwt';
const tag = 'Orders';
const params = { id: { ...anyText('The `id` of an order', 'ord_90019'), component: 'OrderId' } };

export const orderRoutes: readonly Route[] = [
  {
    ...{ method: 'get', path: '/partner/orders', credential, tag },
    name: 'listOrders',
    summary: 'List the orders',
    description:
      "The account's own; those of members are the members'. What is recorded while somebody reads stands before the first page.",
    query: orderListParameters,
    answers: { 200: { description: 'The last recorded first', schema: orderListSchema } },
    refusals: ['BAD_REQUEST'],
    handle: getOrders,
  },
  {
    ...{ method: 'post', path: '/partner/orders', credential, tag, idempotent: true },
    name: 'createOrder',
    summary: 'Record a direct sale',
    description: [
      'The item is `sold` at once, `item.sold` is sent, and its auction, if one is up, is taken down. A draft can be sold too. Winning bids become orders by themselves.',
      '',
      'Bids that the service does not know of yet may forbid the take-down: then `listing.failed` (`TAKEDOWN_REFUSED_BIDS`) is sent, and a winner makes a second order of the same item. Both name each other in `conflictingOrderIds` until all but one are cancelled.',
      '',
      '409 `CONFLICT`: the item is sold, archived, has an order in progress, or its auction is known to have bids.',
    ].join('\n'),
    request: { schema: newOrderSchema },
    answers: { 201: { description: 'The order', schema: orderSchema } },
    refusals: ['NOT_FOUND', 'CONFLICT'],
    handle: postOrder,
  },
  {
    ...{ method: 'get', path: '/partner/orders/{id}', credential, tag, params },
    name: 'getOrder',
    summary: 'Read an order',
    description: 'What was sold, where and for how much, and how far the order has come.',
    answers: { 200: { description: 'The order', schema: orderSchema } },
    refusals: ['NOT_FOUND'],
    handle: getOrder,
  },
  {
    ...{ method: 'patch', path: '/partner/orders/{id}', credential, tag, params },
    name: 'updateOrder',
    summary: 'Change the status of an order',
    description: [
      '`pending` becomes `paid` or `cancelled`, `paid` becomes `completed` or `cancelled`; the status it has already changes nothing. Payments of won auctions are also read from the marketplace.',
      'When the last order in progress of an item is over, a DELETE removes the item. One whose order was cancelled stays `sold` until its status is set to `not_listed` or it is deleted.',
      '',
      '409 `CONFLICT`: any other step.',
    ].join('\n'),
    request: { schema: orderChangeSchema },
    answers: { 200: { description: 'The order as it is now', schema: orderSchema } },
    refusals: ['NOT_FOUND', 'CONFLICT'],
    handle: patchOrder,
  },
];
