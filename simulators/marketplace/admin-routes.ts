import { randomInt } from 'node:crypto';
import express, { type Request, type Router } from 'express';
import { queryText } from '../kit/admin-routes.ts';
import { fieldsOf, type Fields } from '../kit/fields.ts';
import { jsonBodyOf } from '../kit/request-body.ts';
import { budgetScopes } from './records/call-budget.ts';
import type { Listing } from './records/model.ts';
import { readUserId } from './records/user-book.ts';
import type { World } from './records/world.ts';
import { buyNow, conflict, endAuction, placeBid, takeDown } from './rules/bids.ts';
import { changeStartPrice } from './rules/prices.ts';
import { restart } from './rules/publishing.ts';
import { resultCodes, toBits, type ResultCode } from './rules/result-codes.ts';
import { pathNumber } from './wire/check-request.ts';
import { itemLink } from './wire/item-on-wire.ts';
import { badRequest, notFound } from './wire/refusals.ts';
import { combine, markPaid, paidBy } from './wire/sales.ts';

/** Routes of the simulator alone: read everything, bid, end auctions, script outcomes, expire tokens. */
export function marketplaceAdminRoutes(world: World): Router {
  const router = express.Router();
  addListingRoutes(router, world);
  addUserRoutes(router, world);
  addSaleRoutes(router, world);

  router.post('/results', (request, response) => {
    const fields = fieldsOf(jsonBodyOf(request));
    const ownReference = fields.text('ownReference', { min: 1, max: 300 });
    const outcome = {
      code: toBits(readCodes(fields)),
      times: fields.has('times') ? fields.number('times', { whole: true, min: 1 }) : 1,
    };
    world.listings.scriptOutcomes(ownReference, [...world.listings.outcomesOf(ownReference), outcome]);
    response.status(201).json({ ownReference, resultCode: outcome.code, times: outcome.times });
  });
  router.post('/budget', (request, response) => {
    const fields = fieldsOf(jsonBodyOf(request));
    const unlimited = fields.raw('callsPerDay') === null;
    const callsPerDay = unlimited ? null : fields.number('callsPerDay', { whole: true });
    world.budget.setLimit({ callsPerDay, per: fields.has('per') ? fields.oneOf('per', budgetScopes) : 'method' });
    response.json(world.budget.limit);
  });
  router.get('/switches', (_request, response) => {
    response.json(world.switches.positions());
  });
  // The switches that are named move; the others stay.
  router.post('/switches', (request, response) => {
    world.switches.move(jsonBodyOf(request));
    response.json(world.switches.positions());
  });
  return router;
}

function addListingRoutes(router: Router, world: World): void {
  const show = (listing: Listing) => describeListing(world, listing);

  router.get('/listings', (request, response) => {
    world.present();
    const [state, userId] = [queryText(request, 'state'), queryText(request, 'userId')];
    const ownReference = queryText(request, 'ownReference');
    const candidates =
      ownReference === undefined ? [...world.listings.all()] : world.listings.withOwnReference(ownReference);
    const found = candidates
      .filter(
        (listing) =>
          (state === undefined || listing.state === state) && (userId === undefined || listing.userId === userId),
      )
      .sort((one, two) => one.itemId - two.itemId);
    response.json({ listings: found.map(show) });
  });
  router.get('/listings/:itemId', (request, response) => {
    world.present();
    response.json(show(listingOf(world, request)));
  });
  router.post('/listings/:itemId/bids', (request, response) => {
    const at = world.present();
    const fields = fieldsOf(jsonBodyOf(request));
    const bidder = fields.has('bidder') ? fields.text('bidder', { min: 1, max: 100 }) : `bidder${randomInt(100, 999)}`;
    const bid = { amount: fields.number('amount', { whole: true, min: 1, max: 10_000_000 }), at, bidder };
    response.status(201).json(show(placeBid(world, listingOf(world, request), bid)));
  });
  router.post('/listings/:itemId/buy', (request, response) => {
    const at = world.present();
    response.status(201).json(show(buyNow(world, listingOf(world, request), { bidder: 'buyer', at })));
  });
  // The seller takes it down on the marketplace's own pages.
  router.post('/listings/:itemId/remove', (request, response) => {
    const problem = takeDown(world, listingOf(world, request), world.present());
    if (problem !== undefined) throw conflict(problem);
    response.json(show(listingOf(world, request)));
  });
  router.post('/listings/:itemId/price', (request, response) => {
    world.present();
    const price = fieldsOf(jsonBodyOf(request)).number('price', { whole: true, min: 1, max: 10_000_000 });
    const problem = changeStartPrice(world, listingOf(world, request), price);
    if (problem !== undefined) throw conflict(problem);
    response.json(show(listingOf(world, request)));
  });
  // The seller lists it again on the marketplace's own pages; it gets a new id.
  router.post('/listings/:itemId/restart', (request, response) => {
    const at = world.present();
    const next = restart(world, listingOf(world, request), at);
    if (typeof next === 'string') throw conflict(next);
    response.status(201).json(show(next));
  });
  router.post('/listings/:itemId/end', (request, response) => {
    const at = world.present();
    response.json(show(endAuction(world, listingOf(world, request), at)));
  });
}

function addUserRoutes(router: Router, world: World): void {
  router.post('/users', (request, response) => {
    const fields = fieldsOf(jsonBodyOf(request));
    const userId = readUserId(fields.raw('userId'));
    if (fields.has('isRestricted')) world.users.restrict(userId, fields.flag('isRestricted'));
    response.json({ userId, token: world.users.ensureToken(userId, world.present()).token });
  });
  router.post('/users/:userId/expire-token', (request, response) => {
    if (!world.users.expireTokens(request.params.userId, world.present())) throw notFound('such user');
    response.status(204).end();
  });
}

function addSaleRoutes(router: Router, world: World): void {
  const saleWith = (id: number) => {
    const sale = world.listings.transaction(id);
    if (sale === undefined) throw notFound('such transaction');
    return sale;
  };
  router.post('/transactions/:transactionId/pay', (request, response) => {
    const now = world.present();
    const fields = fieldsOf(jsonBodyOf(request) ?? {});
    const by = fields.has('by') ? fields.oneOf('by', paidBy) : 'both';
    const sale = markPaid(world, saleWith(pathNumber(request, 'transactionId')), { by, now });
    response.json({ ...sale, paid: true });
  });
  router.post('/orders/combine', (request, response) => {
    const now = world.present();
    combine(
      world,
      fieldsOf(jsonBodyOf(request))
        .list('transactionIds')
        .map((id) => saleWith(Number(id))),
      now,
    );
    response.status(204).end();
  });
}

function listingOf(world: World, request: Request): Listing {
  const itemId = pathNumber(request, 'itemId');
  const listing = world.listings.listing(itemId);
  if (listing === undefined) throw notFound(`listing ${itemId}`);
  return listing;
}

function readCodes(fields: Fields): readonly ResultCode[] {
  const codes = fields.texts('codes').map((name) => resultCodes.find((code) => code === name));
  const known = codes.filter((code) => code !== undefined);
  if (known.length === 0 || known.length < codes.length)
    throw badRequest(`codes must be a list of ${resultCodes.join(', ')}`);
  return known;
}

function describeListing({ siteUrl }: World, listing: Listing): Record<string, unknown> {
  const { itemId, requestId, userId, ownReferences, title, description, categoryId, state, bids } = listing;
  const { startPrice, reservePrice, buyItNowPrice, vat, durationDays, shippingOptions, images } = listing;
  const isoTime = (ms: number): string => new Date(ms).toISOString();
  return {
    itemId,
    requestId,
    userId,
    ownReferences,
    title,
    description,
    categoryId,
    state,
    startPrice,
    reservePrice,
    buyItNowPrice,
    vat,
    durationDays,
    shippingOptions,
    imageCount: images.length,
    weightKg: shippingOptions.find(({ shippingWeight }) => shippingWeight !== null)?.shippingWeight ?? null,
    bids: bids.map(({ amount, at, bidder }) => ({ amount, at: isoTime(at), bidder })),
    bidCount: bids.length,
    createdAt: isoTime(listing.createdAt),
    updatedAt: isoTime(listing.updatedAt),
    endsAt: listing.endsAt === null ? null : isoTime(listing.endsAt),
    itemUrl: itemLink(siteUrl, listing),
  };
}
