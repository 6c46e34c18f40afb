import { createMarketplaceHttp, type MarketplaceHttpOptions } from './marketplace-http.ts';
import {
  MarketplaceError,
  type FoundListing,
  type ListingKeeper,
  type ListingPublisher,
  type Seller,
  type SellerFeeds,
  type SellerOrders,
} from './port.ts';
import { createRestListingKeeper } from './rest-listing-keeper.ts';
import { addImage, commitRequest, ignoreBody } from './rest-requests.ts';
import { orderPaths, readSellerOrders } from './wire-orders.ts';
import {
  draftBody,
  feedRowsMax,
  paths,
  readFoundListings,
  readItemUpdates,
  readReceipt,
  readRequestOutcome,
  readSellerTransactions,
  type AdUrlOf,
} from './wire.ts';

export interface RestMarketplaceOptions extends MarketplaceHttpOptions {
  /** Public address of an ad, with `{adId}` in it. Default `<url>/item/{adId}`. */
  readonly adUrlTemplate?: string;
}

export interface RestMarketplace extends ListingPublisher, ListingKeeper, SellerFeeds, SellerOrders {
  /** Waits for calls under way, then closes the connections. */
  close(): Promise<void>;
}

/** One own reference belongs to one publication: more pages than this mean that the marketplace's filter is broken. */
const lookupPagesMax = 20;

/** The marketplace over its REST v4, for the real one and the simulator. For the meaning of errors see port.ts. */
export function createRestMarketplace(options: RestMarketplaceOptions): RestMarketplace {
  const http = createMarketplaceHttp(options);
  const template = options.adUrlTemplate ?? `${options.url}/item/{adId}`;
  const adUrlOf: AdUrlOf = (adId) => template.replace('{adId}', encodeURIComponent(adId));
  const read = <Result>(seller: Seller, path: string, parse: (body: unknown) => Result): Promise<Result> =>
    http.call({ effect: 'read', method: 'GET', path, seller, parse });
  return {
    ...createRestListingKeeper(http),
    createDraft: (seller, draft) =>
      http.call({
        effect: 'write',
        method: 'POST',
        path: paths.items,
        seller,
        body: draftBody(draft),
        parse: readReceipt,
      }),
    addImage: (seller, requestId, jpeg) => addImage(http, { seller, requestId, jpeg }),
    commit: (seller, requestId) => commitRequest(http, seller, requestId),
    readOutcome: (seller, request) =>
      read(seller, paths.results(request.requestId), (body) => readRequestOutcome(body, request, adUrlOf)),
    findByOwnReference: (seller, ownReference) =>
      collectPages((page) =>
        read(seller, paths.sellerItems(ownReference, page), (body) => readFoundListings(body, ownReference, adUrlOf)),
      ),
    feedRowsMax,
    readUpdatedItems: (seller, since) =>
      read(seller, paths.updatedItems(since), (body) => readItemUpdates(body, adUrlOf)),
    readTransactions: (seller, since) =>
      read(seller, paths.transactions(since), (body) => readSellerTransactions(body, adUrlOf)),
    readOrders: (seller, since) => read(seller, orderPaths.changed(since), readSellerOrders),
    markShipped: (seller, orderId) =>
      http.call({ effect: 'write', method: 'POST', path: orderPaths.ship(orderId), seller, parse: ignoreBody }),
    close: () => http.close(),
  };
}

/** Never returns an empty list after an incomplete look, because that would allow a second listing. */
async function collectPages(
  readPage: (page: number) => Promise<{ found: FoundListing[]; pageCount: number }>,
): Promise<FoundListing[]> {
  const all: FoundListing[] = [];
  for (let page = 1; page <= lookupPagesMax; page += 1) {
    const { found, pageCount } = await readPage(page);
    all.push(...found);
    if (page >= pageCount) return all;
  }
  if (all.length > 0) return all;
  throw new MarketplaceError('unavailable', 'the look-up by own reference found no end');
}
