import { createMarketplaceHttp, type MarketplaceHttp, type MarketplaceHttpOptions } from './marketplace-http.ts';
import {
  MarketplaceError,
  type ChangeOutcome,
  type ChangeReceipt,
  type FoundListing,
  type ListingChanges,
  type ListingKeeper,
  type ListingPublisher,
  type RemovalOutcome,
  type Seller,
  type SellerFeeds,
  type SellerOrders,
} from './port.ts';
import { orderPaths, readSellerOrders } from './wire-orders.ts';
import {
  changesBody,
  draftBody,
  errorCodes,
  feedRowsMax,
  imageBody,
  imageBytesMax,
  paths,
  pricesBody,
  readChangeOutcome,
  readChangeRequest,
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
  /** Waits for running calls, then closes the connections. */
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

/** Changes and take-downs over the marketplace's REST v4. For the meaning of outcomes see port.ts. */
function createRestListingKeeper(http: MarketplaceHttp): ListingKeeper {
  return {
    revise: (seller, adId, changes) => answered(() => revise(http, seller, { adId, changes })),
    setPrices: (seller, adId, prices) =>
      answered(() => put(http, seller, { path: paths.prices, body: pricesBody(adId, prices) })),
    readChange: (seller, requestId) =>
      http.call({
        effect: 'read',
        method: 'GET',
        path: paths.results(requestId),
        seller,
        parse: (body) => readChangeOutcome(body, requestId),
      }),
    remove: (seller, adId) => remove(http, seller, adId),
  };
}

/** A change with pictures takes effect by its commit, so an interrupted one changes nothing. */
async function revise(
  http: MarketplaceHttp,
  seller: Seller,
  { adId, changes }: { adId: string; changes: ListingChanges },
): Promise<string> {
  const requestId = await put(http, seller, { path: paths.item(adId), body: changesBody(changes) });
  if (changes.jpegs === null) return requestId;
  for (const jpeg of changes.jpegs) await addImage(http, { seller, requestId, jpeg });
  await commitRequest(http, seller, requestId);
  return requestId;
}

const put = (http: MarketplaceHttp, seller: Seller, { path, body }: { path: string; body: object }): Promise<string> =>
  http.call({ effect: 'write', method: 'PUT', path, seller, body, parse: readChangeRequest });

/** An immediate refusal is an outcome like a later one. */
async function answered(ask: () => Promise<string>): Promise<ChangeReceipt> {
  try {
    return { requestId: await ask() };
  } catch (error) {
    if (error instanceof MarketplaceError && error.kind === 'refused') return { outcome: outcomeOf(error) };
    throw error;
  }
}

function outcomeOf({ code, message }: MarketplaceError): ChangeOutcome {
  if (code === errorCodes.itemHasBids) return { kind: 'has_bids', message };
  if (code === errorCodes.itemNotActive) return { kind: 'not_active' };
  if (code === errorCodes.itemNotYetActive) return { kind: 'try_again', message };
  return { kind: 'refused', message };
}

async function remove(http: MarketplaceHttp, seller: Seller, adId: string): Promise<RemovalOutcome> {
  try {
    await http.call({ effect: 'write', method: 'DELETE', path: paths.item(adId), seller, parse: ignoreBody });
    return 'removed';
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error;
    if (error.code === errorCodes.itemHasBids) return 'has_bids';
    if (error.code === errorCodes.itemNotActive) return 'not_active';
    throw error;
  }
}

/** The pictures of a request are shown in the order in which they were added. */
async function addImage(
  http: MarketplaceHttp,
  image: { seller: Seller; requestId: string; jpeg: Buffer },
): Promise<void> {
  const { seller, requestId, jpeg } = image;
  if (jpeg.length > imageBytesMax)
    throw new MarketplaceError('refused', 'the image is larger than the marketplace takes');
  const path = paths.images(requestId);
  await http.call({ effect: 'write', method: 'POST', path, seller, body: imageBody(jpeg), parse: ignoreBody });
}

/** "Committed already" means success for a repeated commit: the first one arrived. */
async function commitRequest(http: MarketplaceHttp, seller: Seller, requestId: string): Promise<void> {
  try {
    await http.call({ effect: 'write', method: 'POST', path: paths.commit(requestId), seller, parse: ignoreBody });
  } catch (error) {
    if (error instanceof MarketplaceError && error.code === errorCodes.alreadyCommitted) return;
    throw error;
  }
}

/** The parser for answers whose body is not needed. */
export const ignoreBody = (): void => undefined;
