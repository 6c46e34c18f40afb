import { sandboxAnswerSchema, sandboxSaleSchema } from '../../schemas/sandbox.ts';
import { postSandboxEnd, postSandboxPayment, postSandboxSale } from '../handlers/sandbox.ts';
import type { Route } from '../http/route.ts';
import { itemParams } from './parameters.ts';
import { orderParams } from './order-routes.ts';

const asked = {
  method: 'post',
  tag: 'Sandbox',
  credential: 'api-key',
  isOwnAlone: true,
  answers: { 202: { description: 'It has happened; events and orders follow', schema: sandboxAnswerSchema } },
  refusals: ['SANDBOX_ONLY', 'NOT_FOUND', 'CONFLICT'],
} as const;

const testKeysAlone = [
  'With a test key (`sk_test_`) alone; a live one is 403 `SANDBOX_ONLY`. What follows comes as from the real marketplace, with the next look at it, within a minute.',
  '',
].join('\n');

/** Actions of buyers at the simulated marketplace, for partners that try the service with test keys. */
export const sandboxRoutes: readonly Route[] = [
  {
    ...asked,
    path: '/integration/v1/sandbox/items/{external_id}/sell',
    params: itemParams,
    keyScope: 'items:write',
    name: 'sellSandboxItem',
    summary: 'Have the running auction of an item won, in the sandbox',
    description: `${testKeysAlone}\n409 \`CONFLICT\`: the item has no running auction, or the bid is too low; with a reserve price that the bid does not reach, the auction ends without a winner.`,
    request: { schema: sandboxSaleSchema, isOptional: true },
    handle: postSandboxSale,
  },
  {
    ...asked,
    path: '/integration/v1/sandbox/items/{external_id}/end',
    params: itemParams,
    keyScope: 'items:write',
    name: 'endSandboxAuction',
    summary: 'End the running auction of an item, in the sandbox',
    description: `${testKeysAlone}\nWith the bids that are there: without one \`listing.ended\` is sent. 409 \`CONFLICT\`: the item has no running auction.`,
    handle: postSandboxEnd,
  },
  {
    ...asked,
    path: '/integration/v1/sandbox/orders/{id}/pay',
    params: orderParams,
    keyScope: 'orders:write',
    name: 'paySandboxOrder',
    summary: 'Have an order paid by its buyer, in the sandbox',
    description: `${testKeysAlone}\n409 \`CONFLICT\`: the order is paid or over, or was no won auction.`,
    handle: postSandboxPayment,
  },
];
