import { sandboxAnswerSchema, sandboxSaleSchema, readSandboxSale } from '../../schemas/sandbox.ts';
import { type Route, param, type Answer, type ScopedCall } from '../http/route.ts';
import { itemParams } from './parameters.ts';
import { orderParams } from './order-routes.ts';
import { orderId } from '../../features/rules/ids.ts';
import { readExternalId } from '../../schemas/items/external-id.ts';
import { readQuery } from '../../schemas/query.ts';
import { endSandboxAuction, paySandboxOrder } from '../../features/accounts/play-buyer.ts';

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
    handle: async (call: ScopedCall) => {
      const externalId = readTarget(call);
      const { price } = readSandboxSale(call.body);
      const end = { kind: 'sell', bidKronor: price ?? null } as const;
      await endSandboxAuction(call.context, call.scope, { externalId, end });
      return done('Auction won; its sale is told within a minute');
    },
  },
  {
    ...asked,
    path: '/integration/v1/sandbox/items/{external_id}/end',
    params: itemParams,
    keyScope: 'items:write',
    name: 'endSandboxAuction',
    summary: 'End the running auction of an item, in the sandbox',
    description: `${testKeysAlone}\nWith the bids that are there: without one \`listing.ended\` is sent. 409 \`CONFLICT\`: the item has no running auction.`,
    handle: async (call: ScopedCall) => {
      const externalId = readTarget(call);
      await endSandboxAuction(call.context, call.scope, { externalId, end: { kind: 'end' } });
      return done('Auction ended; its outcome is told within a minute');
    },
  },
  {
    ...asked,
    path: '/integration/v1/sandbox/orders/{id}/pay',
    params: orderParams,
    keyScope: 'orders:write',
    name: 'paySandboxOrder',
    summary: 'Have an order paid by its buyer, in the sandbox',
    description: `${testKeysAlone}\n409 \`CONFLICT\`: the order is paid or over, or was no won auction.`,
    handle: async (call: ScopedCall) => {
      readQuery(call.query, {});
      await paySandboxOrder(call.context, call.scope, orderId(param(call, 'id')));
      return done('Order paid; that is told within a minute');
    },
  },
];

function readTarget(call: ScopedCall): string {
  readQuery(call.query, {});
  return readExternalId(param(call, 'external_id'));
}

const done = (message: string): Answer => ({ status: 202, body: { success: true, message } });
