import express, { type Request, type Router } from 'express';
import { fieldsOf, type Fields } from '../../kit/fields.ts';
import { jsonBodyOf } from '../../kit/request-body.ts';
import type { Listing } from '../records/model.ts';
import { readUserId } from '../records/user-book.ts';
import { endAuction, nextBid, placeBid } from '../rules/bids.ts';
import { pathNumber } from './check-request.ts';
import { sellersListing } from './listing-handlers.ts';
import { notFound } from './refusals.ts';
import { markPaid } from './sales.ts';
import { admit, type Gate } from './wire-routes.ts';
import { wireTime } from './wire-time.ts';

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
  /** Ends an auction of the caller as it is, after a last `bid`, or after the least bid that wins it: `sell`. */
  router.post('/v4/sandbox/items/:itemId/end', (request, response) => {
    const call = admitSeller(request);
    const listing = sellersListing(call, pathNumber(request, 'itemId'));
    const amount = lastBid(fieldsOf(jsonBodyOf(request) ?? {}), listing);
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

function lastBid(fields: Fields, listing: Listing): number | null {
  if (fields.has('bid')) return fields.number('bid', { whole: true, min: 1, max: 10_000_000 });
  return fields.has('sell') && fields.flag('sell') ? Math.max(nextBid(listing), listing.reservePrice ?? 0) : null;
}
