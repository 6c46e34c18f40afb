import { hasPrices } from '../../features/listings/rules/listing-terms.ts';
import {
  AnswerTooLong,
  createMarketplaceHttp,
  requireSafeUrl,
  type MarketplaceAccess,
  type MarketplaceCall,
  type MarketplaceHttp,
} from './marketplace-http.ts';
import {
  MarketplaceError,
  type Auction,
  type CallGate,
  type ListingKeeper,
  type ListingPublisher,
  type PriceChange,
  type PriceOutcome,
  type RemovalOutcome,
  type Seller,
  type SellerFeeds,
  type SellerOrders,
} from './port.ts';
import {
  readAuction,
  readAuctions,
  readEnded,
  readHighestRowVersion,
  readPriceRefusal,
  readReceipt,
  readRequestResult,
  readTransactions,
  type Reading,
} from './wire-items.ts';
import type { ReportRows } from './wire-kit.ts';
import { orderPaths, readSellerOrders } from './wire-orders.ts';
import { draftBody, imageBody, imageBytesMax, paths, priceCall, usualWireSettings, type WireSettings } from './wire.ts';

export interface RestMarketplaceOptions {
  readonly live: MarketplaceAccess;
  /** The simulated marketplace of test keys; null: their work waits, as for an unreachable marketplace. */
  readonly sandbox?: MarketplaceAccess | null;
  readonly requestTimeoutMs: number;
  readonly answerBytesMax?: number;
  readonly gate?: CallGate;
  /** Public address of an ad that has no address in an answer, with `{adId}` in it. */
  readonly adUrlTemplate: string;
  readonly settings?: Partial<WireSettings>;
  /** Told of rows of an answer that could not be read. */
  readonly onUnreadableRows?: (what: {
    readonly operation: string;
    readonly rows: number;
    readonly of: number;
  }) => void;
  readonly now: () => Date;
}

export interface RestMarketplace extends ListingPublisher, ListingKeeper, SellerFeeds, SellerOrders {
  /** Waits for running calls, then closes the connections. */
  close(): Promise<void>;
}

type Read = <Result>(
  place: Pick<MarketplaceCall<unknown>, 'operation' | 'purpose' | 'seller' | 'path'>,
  parse: MarketplaceCall<Result>['parse'],
) => Promise<Result>;

interface Wire {
  readonly http: MarketplaceHttp;
  readonly read: Read;
  readonly reading: (operation: string) => Reading;
  readonly settings: WireSettings;
}

/** The marketplace over its REST v4: the real one, and the simulated one of sandboxes. For the meaning of errors see port.ts. */
export function createRestMarketplace(options: RestMarketplaceOptions): RestMarketplace {
  const http = createMarketplaceHttp({ ...options, accessOf: accessOf(options) });
  const report =
    (operation: string): ReportRows =>
    (skipped) =>
      options.onUnreadableRows?.({ operation, ...skipped });
  const wire: Wire = {
    http,
    read: (place, parse) => http.call({ ...place, effect: 'read', method: 'GET', parse }),
    reading: (operation) => ({
      adUrlOf: (adId) => options.adUrlTemplate.replace('{adId}', encodeURIComponent(adId)),
      report: report(operation),
      now: options.now(),
    }),
    settings: { ...usualWireSettings, ...options.settings },
  };
  return {
    ...createPublisher(wire),
    ...createKeeper(wire),
    ...createFeeds(wire),
    ...createOrders(wire, options.now),
    close: () => http.close(),
  };
}

/** No other code decides which marketplace a seller's calls go to. */
function accessOf({ live, sandbox = null }: RestMarketplaceOptions): (seller: Seller) => MarketplaceAccess {
  for (const access of [live, sandbox]) if (access !== null) requireSafeUrl(access.url);
  return ({ isSandbox }) => {
    const access = isSandbox ? sandbox : live;
    if (access === null) throw new MarketplaceError('not_accepted', 'the service has no sandbox at the moment');
    return access;
  };
}

function createPublisher(wire: Wire): ListingPublisher {
  const { http, read, reading, settings } = wire;
  return {
    createDraft: (seller, draft) =>
      http.call({
        operation: 'create',
        purpose: 'publish',
        effect: 'draft',
        method: 'POST',
        path: paths.items,
        seller,
        body: draftBody(draft, settings),
        parse: readReceipt,
      }),
    addImage: async (seller, requestId, jpeg) => {
      if (jpeg.length > imageBytesMax)
        throw new MarketplaceError('refused', 'the image is larger than the marketplace takes');
      await http.call({
        operation: 'image',
        purpose: 'publish',
        effect: 'draft',
        method: 'POST',
        seller,
        path: paths.images(requestId),
        body: imageBody(jpeg, settings),
        parse: ignoreBody,
      });
    },
    commit: (seller, requestId) =>
      http.call({
        operation: 'commit',
        purpose: 'publish',
        effect: 'write',
        method: 'POST',
        seller,
        path: paths.commit(requestId),
        parse: ignoreBody,
      }),
    readResult: async (seller, requestId) => {
      const place = { operation: 'results', purpose: 'publish', seller, path: paths.results(requestId) } as const;
      const { report } = reading('results');
      return (await orNull(read(place, (body) => readRequestResult(body, requestId, report)))) ?? { kind: 'none' };
    },
    readAuction: (seller, adId) => readOne(wire, { seller, adId, purpose: 'publish' }),
    readRunning: (seller, purpose) => listAuctions(wire, { seller, purpose, state: 'running' }),
  };
}

type ReadOne = {
  readonly seller: Seller;
  readonly adId: string;
  readonly purpose: MarketplaceCall<unknown>['purpose'];
};

const readOne = ({ read, reading }: Wire, { seller, adId, purpose }: ReadOne): Promise<Auction | null> =>
  orNull(
    read({ operation: 'item', purpose, seller, path: paths.item(adId) }, (body) => readAuction(body, reading('item'))),
  );

/** A 404 of a read says that there is nothing. */
async function orNull<Result>(reading: Promise<Result>): Promise<Result | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof MarketplaceError && error.status === 404) return null;
    throw error;
  }
}

const dayMs = 86_400_000;
/** Far longer than an auction lasts. */
const aheadMs = 64 * dayMs;
/** So often a list that is too long is halved. */
const halvingsMax = 6;

interface Listed {
  readonly seller: Seller;
  readonly purpose: MarketplaceCall<unknown>['purpose'];
  readonly state: 'running' | 'ended';
}
interface Ending {
  readonly from: Date;
  readonly to: Date;
}

/**
 * Rows are asked for by state and looked at again here, because no source names what the numbers of the filter stand for. A list that is
 * longer than what is read of an answer is asked for in parts, by the ends of its auctions.
 */
async function listAuctions(wire: Wire, listed: Listed, ending?: Partial<Ending>): Promise<readonly Auction[]> {
  const { now } = wire.reading('seller_items');
  try {
    return await listOnce(wire, listed, ending);
  } catch (error) {
    if (!isTooLong(error)) throw error;
    const isRunning = listed.state === 'running';
    const from = ending?.from ?? new Date(now.getTime() - dayMs);
    return listParts(wire, listed, { from, to: new Date(now.getTime() + (isRunning ? aheadMs : dayMs)), halvings: 0 });
  }
}

async function listOnce(wire: Wire, { seller, purpose, state }: Listed, ending?: Partial<Ending>): Promise<Auction[]> {
  const path = paths.sellerItems(state, ending);
  const auctions = await wire.read({ operation: 'seller_items', seller, purpose, path }, (body) =>
    readAuctions(body, wire.reading('seller_items')),
  );
  return auctions.filter(({ isOver }) => isOver === (state === 'ended'));
}

async function listParts(
  wire: Wire,
  listed: Listed,
  { from, to, halvings }: Ending & { readonly halvings: number },
): Promise<Auction[]> {
  try {
    return await listOnce(wire, listed, { from, to });
  } catch (error) {
    if (!isTooLong(error) || halvings === halvingsMax) throw error;
    const middle = new Date((from.getTime() + to.getTime()) / 2);
    const next = { halvings: halvings + 1 };
    const sooner = await listParts(wire, listed, { ...next, from, to: middle });
    const later = await listParts(wire, listed, { ...next, from: middle, to });
    return [...new Map([...sooner, ...later].map((auction) => [auction.adId, auction])).values()];
  }
}

const isTooLong = (error: unknown): boolean =>
  error instanceof MarketplaceError && error.cause instanceof AnswerTooLong;

function createKeeper(wire: Wire): ListingKeeper {
  return {
    setPrices: (seller, adId, change) => setPrices(wire, seller, { adId, change }),
    remove: (seller, adId) => remove(wire, seller, adId),
  };
}

/** After anything but a plain yes the auction itself is read: no answer is known to say why it was a no. */
async function setPrices(
  wire: Wire,
  seller: Seller,
  { adId, change }: { adId: string; change: PriceChange },
): Promise<PriceOutcome> {
  const { operation, path, body } = priceCall(adId, change);
  const refusal = await doubted(
    wire.http.call({
      operation,
      purpose: 'price',
      effect: 'write',
      method: 'PUT',
      path,
      seller,
      body,
      parse: readPriceRefusal,
    }),
  );
  if (refusal === null) return { kind: 'taken' };
  const auction = await readOne(wire, { seller, adId, purpose: 'price' });
  if (auction === null || auction.isOver) return { kind: 'over' };
  if (hasPrices(auction, change.wanted)) return { kind: 'taken' };
  if (auction.bids > 0) return { kind: 'has_bids', auction };
  if (refusal instanceof MarketplaceError && refusal.status !== 400) throw refusal;
  return { kind: 'refused', message: refusal instanceof MarketplaceError ? refusal.message : refusal };
}

async function remove(wire: Wire, seller: Seller, adId: string): Promise<RemovalOutcome> {
  const isEnded = await doubted(
    wire.http.call({
      operation: 'end',
      purpose: 'take_down',
      effect: 'write',
      method: 'DELETE',
      path: paths.item(adId),
      seller,
      parse: readEnded,
    }),
  );
  if (isEnded === true) return { kind: 'removed' };
  const auction = await readOne(wire, { seller, adId, purpose: 'take_down' });
  if (auction === null) return { kind: 'gone' };
  if (auction.isOver) return { kind: 'over', auction };
  if (auction.bids > 0) return { kind: 'has_bids' };
  if (isEnded instanceof MarketplaceError && isEnded.status !== 400) throw isEnded;
  return { kind: 'refused' };
}

/** An unknown outcome becomes a value, because the state is read next. */
async function doubted<Result>(call: Promise<Result>): Promise<Result | MarketplaceError> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof MarketplaceError && error.kind === 'outcome_unknown') return error;
    throw error;
  }
}

function createFeeds(wire: Wire): SellerFeeds {
  const { read, reading } = wire;
  return {
    readEnded: (seller, since) => listAuctions(wire, { seller, purpose: 'feed', state: 'ended' }, { from: since }),
    readTransactions: (seller, since) =>
      read({ operation: 'transactions', purpose: 'feed', seller, path: paths.transactions(since) }, (body) =>
        readTransactions(body, reading('transactions')),
      ),
    readChangeMark: (seller, mark) =>
      read({ operation: 'updated_items', purpose: 'feed', seller, path: paths.updated(mark) }, (body, text) =>
        readHighestRowVersion(body, text, mark),
      ),
  };
}

function createOrders({ http, read, reading }: Wire, now: () => Date): SellerOrders {
  return {
    readOrders: (seller, since) =>
      read({ operation: 'orders', purpose: 'feed', seller, path: orderPaths.changed(since, now()) }, (body) =>
        readSellerOrders(body, reading('orders').report),
      ),
    markShipped: (seller, orderId) =>
      http.call({
        operation: 'ship',
        purpose: 'feed',
        effect: 'write',
        method: 'POST',
        seller,
        path: orderPaths.ship(orderId),
        parse: ignoreBody,
      }),
  };
}

/** The parser for answers whose body is not needed. */
export const ignoreBody = (): void => undefined;
