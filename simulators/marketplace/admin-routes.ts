import { randomInt } from 'node:crypto';
import express, { type Request, type Router } from 'express';
import { queryText } from '../kit/admin-routes.ts';
import { fieldsOf, Refusal, type Fields } from '../kit/fields.ts';
import { jsonBodyOf } from '../kit/request-body.ts';
import { buyNow, changeStartPrice, endAuction, markPaid, placeBid, removeListing } from './auction.ts';
import type { Listing } from './model.ts';
import { resultCodes, toBits, type ResultCode } from './result-codes.ts';
import { isoOrNull, itemUrl } from './seller-reads.ts';
import { pathNumber, readUserId } from './wire-routes.ts';
import type { World } from './world.ts';

/** Routes of the simulator alone: read everything, bid, end auctions, script outcomes, expire tokens. */
export function marketplaceAdminRoutes(world: World, siteUrl: () => string): Router {
  const router = express.Router();
  addListingRoutes(router, world, siteUrl);
  addUserRoutes(router, world);

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
    world.budget.limit(unlimited ? null : fields.number('callsPerDay', { whole: true }));
    response.json({ callsPerDay: world.budget.callsPerDay });
  });
  router.post('/transactions/:transactionId/pay', (request, response) => {
    const now = world.present();
    const transaction = world.listings.transaction(pathNumber(request, 'transactionId'));
    if (transaction === undefined) throw new Refusal(404, 'NotFound', 'there is no such transaction');
    response.json(markPaid(world.listings, transaction, now));
  });
  return router;
}

function addListingRoutes(router: Router, world: World, siteUrl: () => string): void {
  const show = (listing: Listing) => describeListing(listing, siteUrl());

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
    response.status(201).json(show(placeBid(world.listings, listingOf(world, request), bid)));
  });
  router.post('/listings/:itemId/buy', (request, response) => {
    const at = world.present();
    response.status(201).json(show(buyNow(world.listings, listingOf(world, request), { bidder: 'buyer', at })));
  });
  // The seller takes it down on the marketplace's own pages.
  router.post('/listings/:itemId/remove', (request, response) => {
    const now = world.present();
    const { itemId, userId } = listingOf(world, request);
    const { processingDelayMs } = world;
    removeListing(world.listings, { userId, now, processingDelayMs }, itemId);
    response.json(show(listingOf(world, request)));
  });
  router.post('/listings/:itemId/price', (request, response) => {
    const at = world.present();
    const price = fieldsOf(jsonBodyOf(request)).number('price', { whole: true, min: 1, max: 10_000_000 });
    response.json(show(changeStartPrice(world.listings, listingOf(world, request), { price, at })));
  });
  router.post('/listings/:itemId/end', (request, response) => {
    const at = world.present();
    response.json(show(endAuction(world.listings, listingOf(world, request), at)));
  });
}

function addUserRoutes(router: Router, world: World): void {
  router.post('/users', (request, response) => {
    const userId = readUserId(fieldsOf(jsonBodyOf(request)).raw('userId'));
    response.json({ userId, token: world.users.ensureToken(userId, world.present()).token });
  });
  router.post('/users/:userId/expire-token', (request, response) => {
    if (!world.users.expireTokens(request.params.userId, world.present()))
      throw new Refusal(404, 'NotFound', 'there is no such user');
    response.status(204).end();
  });
}

function listingOf(world: World, request: Request): Listing {
  const itemId = pathNumber(request, 'itemId');
  const listing = world.listings.listing(itemId);
  if (listing === undefined) throw new Refusal(404, 'NotFound', `there is no listing ${itemId}`);
  return listing;
}

function readCodes(fields: Fields): readonly ResultCode[] {
  const codes = fields.texts('codes').map((name) => resultCodes.find((code) => code === name));
  const known = codes.filter((code) => code !== undefined);
  if (known.length === 0 || known.length < codes.length)
    throw new Refusal(400, 'InvalidRequest', `codes must be a list of ${resultCodes.join(', ')}`);
  return known;
}

function describeListing(listing: Listing, siteUrl: string): Record<string, unknown> {
  return {
    itemId: listing.itemId,
    requestId: listing.requestId,
    ownReferences: listing.ownReferences,
    title: listing.title,
    description: listing.description,
    startPrice: listing.startPrice,
    reservePrice: listing.reservePrice,
    buyItNowPrice: listing.buyItNowPrice,
    vat: listing.vat,
    durationDays: listing.durationDays,
    categoryId: listing.categoryId,
    shippingOptions: listing.shippingOptions,
    weightKg: listing.weightKg,
    imageCount: listing.images.length,
    state: listing.state,
    bids: listing.bids.map((bid) => ({ amount: bid.amount, at: new Date(bid.at).toISOString(), bidder: bid.bidder })),
    bidCount: listing.bids.length,
    createdAt: new Date(listing.createdAt).toISOString(),
    updatedAt: new Date(listing.updatedAt).toISOString(),
    endsAt: isoOrNull(listing.endsAt),
    userId: listing.userId,
    itemUrl: itemUrl(siteUrl, listing.itemId),
  };
}
