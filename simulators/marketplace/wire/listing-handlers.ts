import type { Fields } from '../../kit/fields.ts';
import type { Listing } from '../records/model.ts';
import { takeDown } from '../rules/bids.ts';
import { parseListing } from '../rules/listing-input.ts';
import { changePrice, changePrices } from '../rules/prices.ts';
import { addImage, commitRequest, createDraft, readResult, restart, sellersRequest } from '../rules/publishing.ts';
import { readImage } from '../rules/sent-image.ts';
import { pathNumber } from './check-request.ts';
import { badRequest, notFound } from './refusals.ts';
import type { WireCall, WireHandler } from './wire-call.ts';

export const listingHandlers = {
  createItem({ world, user, now, input, body }) {
    const { requestId, itemId } = createDraft(world, user, { fields: parseListing(input, user, now), now });
    const request = sellersRequest(world, user, requestId);
    if (body.has('autoCommit') && body.flag('autoCommit')) commitRequest(world, request, now);
    return { requestId, itemId };
  },
  addImage(call) {
    addImage(call.world, requestOf(call), readImage(call.world, call.body));
  },
  commit(call) {
    commitRequest(call.world, requestOf(call), call.now);
  },
  readResults({ world, user, now, query }) {
    const requests = query.numbers('requestIds').map((id) => world.listings.request(id));
    const own = requests.filter((request) => request?.userId === user.userId);
    const rows = own.flatMap((request) => (request === undefined ? [] : (readResult(world, request, now) ?? [])));
    if (rows.length === 0 && world.switches.is('missingResult', '404')) throw notFound('result of these requests');
    return rows;
  },
  changePrices(call) {
    const listing = sellersListing(call, call.body.number('id'));
    const problem = changePrices(call.world, listing, call.body);
    const error = { item: pricesSent(call.body), errorMessage: problem };
    return { isSuccessful: problem === undefined, validationErrors: problem === undefined ? null : [error] };
  },
  changePrice(call) {
    const listing = sellersListing(call, pathNumber(call.request, 'itemId'));
    const problem = changePrice(call.world, listing, call.body);
    const error = { itemId: listing.itemId, errorMessage: problem };
    return { isSuccessful: problem === undefined, validationErrors: problem === undefined ? null : [error] };
  },
  endItem(call) {
    const listing = sellersListing(call, pathNumber(call.request, 'itemId'));
    const problem = takeDown(call.world, listing, call.now);
    if (problem !== undefined && call.world.switches.is('refusedEnd', '400')) throw badRequest(problem);
    return problem === undefined;
  },
  restartItem(call) {
    const listing = sellersListing(call, pathNumber(call.request, 'itemId'));
    const next = listing.restarts === 0 ? 'Item has no restarts left' : restart(call.world, listing, call.now);
    const isSuccessful = typeof next !== 'string';
    return {
      isSuccessful,
      oldItemId: listing.itemId,
      newItemId: isSuccessful ? next.itemId : null,
      validationError: isSuccessful ? null : next,
    };
  },
} satisfies Record<string, WireHandler>;

const pricesSent = (body: Fields): unknown => ({
  id: body.number('id'),
  openingPrice: body.number('openingPrice'),
  reservedPrice: body.raw('reservedPrice') ?? null,
  binPrice: body.raw('binPrice') ?? null,
});

const requestOf = ({ world, user, request }: WireCall) => sellersRequest(world, user, pathNumber(request, 'requestId'));

/** Another seller's item is as unknown as one that does not exist; one that is not up yet, too, as the switch says. */
export function sellersListing({ world, user }: WireCall, itemId: number): Listing {
  const listing = world.listings.listing(itemId);
  if (listing?.userId !== user.userId) throw notFound(`item ${itemId}`);
  if (!wasUp(listing) && world.switches.is('reservedItem', '404')) throw notFound(`item ${itemId}`);
  return listing;
}

export const wasUp = (listing: Listing): boolean => listing.startedAt !== null;
