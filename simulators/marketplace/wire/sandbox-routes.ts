import express, { type Request, type Router } from 'express';
import { fieldsOf } from '../../kit/fields.ts';
import { jsonBodyOf } from '../../kit/request-body.ts';
import { endAuction, placeBid } from '../rules/bids.ts';
import { pathNumber } from './check-request.ts';
import { sellersListing } from './listing-handlers.ts';
import { notFound } from './refusals.ts';
import { readUserId } from '../records/user-book.ts';
import { wireTime } from './wire-time.ts';
import { markPaid } from './sales.ts';
import { admit, type Gate } from './wire-routes.ts';

/** For test keys of the hosted service, whose owners play the buyer. The real marketplace has none of these routes. */
export function sandboxRoutes(gate: Gate): Router {
  const router = express.Router();
  const { world } = gate;
  const admitSeller = (request: Request) => admit(gate, request, { name: 'sandbox', credential: 'user' });

  /** Makes the user, when there is none of this name, with a token. */
  router.post('/v4/sandbox/users', (request, response) => {
    const { now } = admit(gate, request, { name: 'sandbox', credential: 'application' });
    const userId = readUserId(fieldsOf(jsonBodyOf(request)).raw('name'));
    const { token, expiresAt } = world.users.ensureToken(userId, now);
    const hardExpirationTime = wireTime(expiresAt, world.switches);
    response.json({ userId: world.users.ensure(userId).number, authToken: token, hardExpirationTime });
  });
  /** Ends an auction of the caller, after a last bid if one is requested. */
  router.post('/v4/sandbox/items/:itemId/end', (request, response) => {
    const call = admitSeller(request);
    const listing = sellersListing(call, pathNumber(request, 'itemId'));
    const fields = fieldsOf(jsonBodyOf(request) ?? {});
    const amount = fields.has('bid') ? fields.number('bid', { whole: true, min: 1, max: 10_000_000 }) : null;
    const bid = { at: call.now, bidder: 'sandbox' };
    endAuction(world, amount === null ? listing : placeBid(world, listing, { amount, ...bid }), call.now);
    response.status(204).end();
  });
  router.post('/v4/sandbox/transactions/:transactionId/pay', (request, response) => {
    const { user, now } = admitSeller(request);
    const transaction = world.listings.transaction(pathNumber(request, 'transactionId'));
    if (transaction?.userId !== user.userId) throw notFound('such transaction');
    markPaid(world, transaction, { by: 'both', now });
    response.status(204).end();
  });
  return router;
}
