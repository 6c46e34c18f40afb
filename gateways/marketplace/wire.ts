// The marketplace's field names, paths and bits (REST v4, beta, may change) are here and in wire-orders.ts alone. Every answer is checked here. An
// unexpected one is an UnreadableAnswer, never a guess.
import { Type, type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type {
  ChangeOutcome,
  DraftReceipt,
  FoundListing,
  AuctionTerms,
  ListingChanges,
  ListingDraft,
  ListingPrices,
  RequestOutcome,
  SellerItemUpdate,
  SellerTransaction,
} from './port.ts';

/** The answer does not have the known form of the marketplace. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
}

export const headerNames = {
  appId: 'x-app-id',
  appKey: 'x-app-key',
  userId: 'x-user-id',
  userToken: 'x-user-token',
} as const;

export const errorCodes = {
  tokenExpired: 'TokenExpired',
  invalidToken: 'InvalidToken',
  alreadyCommitted: 'AlreadyCommitted',
  itemHasBids: 'ItemHasBids',
  itemNotActive: 'ItemNotActive',
  itemNotYetActive: 'ItemNotYetActive',
} as const;

/** Rows of a feed that one answer holds. */
export const feedRowsMax = 500;

/** Largest accepted picture, decoded. */
export const imageBytesMax = 4 * 1024 * 1024;

/** Paths of the calls. */
export const paths = {
  items: '/v4/listings/items',
  item: (adId: string) => `/v4/listings/items/${encodeURIComponent(adId)}`,
  prices: '/v4/listings/items/prices',
  images: (requestId: string) => `/v4/listings/items/${encodeURIComponent(requestId)}/images`,
  commit: (requestId: string) => `/v4/listings/items/${encodeURIComponent(requestId)}/commit`,
  results: (requestId: string) => `/v4/listings/request-results?${query({ requestIds: requestId })}`,
  sellerItems: (ownReference: string, page: number) =>
    `/v4/listings/seller-items?${query({ ownReference, filterActive: 'All', page: String(page) })}`,
  updatedItems: (since: Date) => `/v4/listings/updated-seller-items?${query({ since: since.toISOString() })}`,
  transactions: (since: Date) => `/v4/orders/seller-transactions?${query({ since: since.toISOString() })}`,
} as const;

/** The query part of an address, without the question mark. */
export const query = (parameters: Record<string, string>): string => new URLSearchParams(parameters).toString();

// ── sent ────────────────────────────────────────────────────────────────────────

const itemTypeAuction = 1;
const acceptedBiddersSweden = 1;
const shippingAtFlatRate = 1;
const imageFormatJpeg = 0;

/** `autoCommit: false` and no `restarts`: only our own commit puts anything up for sale, and only once. */
export function draftBody(draft: ListingDraft): object {
  return {
    title: draft.title,
    description: draft.descriptionHtml,
    categoryId: draft.categoryId,
    duration: draft.durationDays,
    restarts: 0,
    startPrice: draft.startPriceKronor,
    ...(draft.endsAt === null ? {} : { customEndDate: draft.endsAt.toISOString() }),
    reservePrice: draft.terms.reservePriceKronor,
    buyItNowPrice: draft.terms.buyNowPriceKronor,
    itemType: itemTypeAuction,
    acceptedBidderId: acceptedBiddersSweden,
    shippingOptions: shippingOptions(draft),
    ...vatOf(draft.terms),
    ...(draft.weightKg === null ? {} : { weightKg: draft.weightKg }),
    ownReferences: draft.ownReferences,
    autoCommit: false,
  };
}

/** Without shipping options of the item: one at a flat rate, or none. */
function shippingOptions({ shippingKronor, terms }: Pick<ListingDraft, 'shippingKronor' | 'terms'>): object[] {
  const atFlatRate = shippingKronor === null ? [] : [{ optionId: shippingAtFlatRate, cost: shippingKronor }];
  return (terms.shippingOptions ?? atFlatRate).map(({ optionId, cost }) => ({ shippingOptionId: optionId, cost }));
}

const vatOf = ({ vatPercent }: AuctionTerms): object => (vatPercent === null ? {} : { vat: vatPercent });

/** A reserve price can't be removed from a running auction, so it is sent only when it is set. */
const reserveOf = ({ reservePriceKronor }: Pick<AuctionTerms, 'reservePriceKronor'>): object =>
  reservePriceKronor === null ? {} : { reservePrice: reservePriceKronor };

/** With pictures, which follow under the request id, our own commit applies the change; without pictures it applies at once. */
export function changesBody(changes: ListingChanges): object {
  return {
    title: changes.title,
    description: changes.descriptionHtml,
    categoryId: changes.categoryId,
    ...(changes.startPriceKronor === null ? {} : { startPrice: changes.startPriceKronor }),
    ...reserveOf(changes.terms),
    buyItNowPrice: changes.terms.buyNowPriceKronor,
    shippingOptions: shippingOptions(changes),
    ...vatOf(changes.terms),
    weightKg: changes.weightKg,
    autoCommit: changes.jpegs === null,
  };
}

/** All prices, because one that is left out is removed from the auction. */
export function pricesBody(adId: string, prices: ListingPrices): object {
  const { startPriceKronor: startPrice, buyNowPriceKronor } = prices;
  const buyNow = buyNowPriceKronor === null ? {} : { buyItNowPrice: buyNowPriceKronor };
  return { items: [{ itemId: Number(adId), startPrice, ...reserveOf(prices), ...buyNow }] };
}

/** The body that adds a picture. */
export function imageBody(jpeg: Buffer): object {
  return { imageData: jpeg.toString('base64'), imageFormat: imageFormatJpeg, hasMega: true };
}

// ── received ────────────────────────────────────────────────────────────────────

export const id = Type.Integer({ minimum: 1 });
export const time = Type.String({ pattern: String.raw`^\d{4}-\d\d-\d\dT` });

const ErrorAnswer = Type.Object({ error: Type.Object({ code: Type.String(), message: Type.Optional(Type.String()) }) });
const QueuedAnswer = Type.Object({ requestId: id, itemId: id });
const ChangeQueuedAnswer = Type.Object({ requestId: id });
const ResultsAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      requestId: id,
      resultCode: Type.Integer({ minimum: 0 }),
      message: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
});
const SellerItemsAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      itemId: id,
      requestId: Type.Optional(Type.Union([id, Type.Null()])),
      ownReferences: Type.Array(Type.String()),
      startPrice: Type.Number({ minimum: 0 }),
      bidCount: Type.Integer({ minimum: 0 }),
      state: Type.Enum(['Waiting', 'Active', 'Ended', 'Sold', 'Removed']),
      itemUrl: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
  totalPages: Type.Integer({ minimum: 0 }),
});
const UpdatedItemsAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      itemId: id,
      state: Type.Enum(['Active', 'Ended', 'Sold', 'Removed']),
      bidCount: Type.Integer({ minimum: 0 }),
      currentPrice: Type.Optional(Type.Union([Type.Number({ minimum: 0 }), Type.Null()])),
      endDate: Type.Optional(Type.Union([time, Type.Null()])),
      updatedDate: time,
    }),
  ),
});
const TransactionsAnswer = Type.Object({
  transactions: Type.Array(
    Type.Object({
      transactionId: id,
      itemId: id,
      amount: Type.Number({ minimum: 0 }),
      date: time,
      lastUpdatedDate: time,
      isPaid: Type.Boolean(),
    }),
  ),
});

/** Compiles once; the returned function throws {@link UnreadableAnswer}. */
export function reader<Schema extends TSchema>(schema: Schema): (body: unknown) => Static<Schema> {
  const validator = Compile(schema);
  return (body) => {
    if (!validator.Check(body)) throw new UnreadableAnswer('the answer has not the agreed form');
    return body;
  };
}

const errorAnswer = reader(ErrorAnswer);
const queuedAnswer = reader(QueuedAnswer);
const changeQueuedAnswer = reader(ChangeQueuedAnswer);
const resultsAnswer = reader(ResultsAnswer);
const sellerItemsAnswer = reader(SellerItemsAnswer);
const updatedItemsAnswer = reader(UpdatedItemsAnswer);
const transactionsAnswer = reader(TransactionsAnswer);

export interface WireError {
  readonly code: string;
  readonly message: string;
}

/** The marketplace's error in a body. Throws {@link UnreadableAnswer} for another form. */
export function readError(body: unknown): WireError {
  const { error } = errorAnswer(body);
  return { code: error.code, message: shortened(error.message ?? error.code) };
}

/** The ids of a new draft. Throws {@link UnreadableAnswer}. */
export function readReceipt(body: unknown): DraftReceipt {
  const { requestId, itemId } = queuedAnswer(body);
  return { requestId: String(requestId), adId: String(itemId) };
}

/** The request id of a change. */
export const readChangeRequest = (body: unknown): string => String(changeQueuedAnswer(body).requestId);

const messageLengthMax = 300;
const shortened = (text: string): string =>
  text.length > messageLengthMax ? `${text.slice(0, messageLengthMax)}…` : text;

/** Builds the public address of an ad from its id. */
export type AdUrlOf = (adId: string) => string;

/** No row for the request means that there is no result yet. */
export function readRequestOutcome(body: unknown, request: DraftReceipt, adUrlOf: AdUrlOf): RequestOutcome {
  const result = findResult(body, request.requestId);
  return result === undefined ? { kind: 'unknown_yet' } : foldResult(result, adUrlOf(request.adId));
}

/** The outcome of a change. Throws {@link UnreadableAnswer}. */
export function readChangeOutcome(body: unknown, requestId: string): ChangeOutcome {
  const result = findResult(body, requestId);
  return result === undefined ? { kind: 'unknown_yet' } : foldChange(result);
}

interface Result {
  readonly has: (...names: (keyof typeof bits)[]) => boolean;
  /** The marketplace's own message; null without one. */
  readonly said: string | null;
  readonly code: number;
}

function findResult(body: unknown, requestId: string): Result | undefined {
  const row = resultsAnswer(body).results.find((result) => String(result.requestId) === requestId);
  if (row === undefined) return undefined;
  const { resultCode: code, message } = row;
  // A row without any bit counts as no row.
  const known = code === 0 ? bits.WaitingToBeProcessed : code;
  return {
    has: (...names) => names.some((name) => (known & bits[name]) !== 0),
    said: message == null || message.trim() === '' ? null : shortened(message),
    code,
  };
}

const bits = {
  Ok: 1,
  ImageProcessingError: 2,
  Error: 4,
  Timeout: 8,
  TryAgain: 16,
  UpdateNotAllowed: 32,
  ReachedMaximumActiveItemsThreshold: 64,
  WaitingToBeProcessed: 128,
  Uncommited: 256,
} as const;

/**
 * Maps the bit field. Bits come combined, so the order matters: Ok wins over all other bits, TryAgain over the errors beside it.
 * Only the remaining cases are final.
 */
function foldResult(result: Result, adUrl: string): RequestOutcome {
  const { has, said } = result;
  if (has('Ok')) return { kind: 'live', adUrl, imagesRefused: has('ImageProcessingError') };
  if (has('TryAgain')) return { kind: 'try_again', message: said ?? againWords(result) };
  if (has('Timeout')) return { kind: 'timed_out', message: said ?? words.timeout };
  if (has('ReachedMaximumActiveItemsThreshold')) return { kind: 'too_many_active', message: said ?? words.activeLimit };
  if (has('WaitingToBeProcessed')) return { kind: 'unknown_yet' };
  if (has('Uncommited')) return { kind: 'uncommitted' };
  return { kind: 'refused', message: said ?? `${refusalWords(result)}; then publish the item again` };
}

/**
 * Maps the same bits for a change. A refused update wins over Ok, so that a price that buyers do not see is never recorded. A
 * change whose commit was lost is sent again.
 */
function foldChange(result: Result): ChangeOutcome {
  const { has, said } = result;
  if (has('UpdateNotAllowed')) return { kind: 'has_bids', message: said ?? words.notChangeable };
  if (has('Ok')) return { kind: 'taken', imagesRefused: has('ImageProcessingError') };
  if (has('TryAgain', 'Timeout', 'Uncommited')) return { kind: 'try_again', message: said ?? againWords(result) };
  if (has('WaitingToBeProcessed')) return { kind: 'unknown_yet' };
  return { kind: 'refused', message: said ?? `${refusalWords(result)}; the next change is sent as a whole` };
}

/** Texts for a partner when the marketplace sent none: the meaning and the next step. They are parts of sentences. */
const words = {
  timeout: 'the marketplace ran out of time over it; nothing needs to be done, the service looks after it',
  activeLimit:
    'the marketplace allows no more active auctions of this account; the item goes up when one of them ends or is taken down',
  notChangeable: 'the marketplace allows no change of this auction, as a rule because it has bids',
  images: 'the marketplace could not use the pictures, so push others (JPEG or PNG that open in a browser)',
  error: 'the marketplace refused it and gave no reason, so check title, description, category, price and pictures',
} as const;

function againWords({ has }: Result): string {
  const reason = has('ImageProcessingError') ? 'it could not work on the pictures just now' : 'it gave no reason';
  return `${reason}; nothing needs to be done`;
}

function refusalWords({ has, code }: Result): string {
  if (has('ReachedMaximumActiveItemsThreshold')) return words.activeLimit;
  if (has('UpdateNotAllowed')) return words.notChangeable;
  if (has('ImageProcessingError')) return words.images;
  if (has('Error')) return words.error;
  return `the marketplace answered with result ${code}, which the service does not know, so check the item`;
}

const foundState = { Waiting: 'waiting', Active: 'active', Ended: 'ended', Sold: 'sold', Removed: 'removed' } as const;

/** One page of the seller's items; the marketplace's filter is not trusted to be exact. */
export function readFoundListings(
  body: unknown,
  ownReference: string,
  adUrlOf: AdUrlOf,
): { found: FoundListing[]; pageCount: number } {
  const { items, totalPages } = sellerItemsAnswer(body);
  const found = items
    .filter((row) => row.ownReferences.includes(ownReference))
    .map((row) => ({
      adId: String(row.itemId),
      adUrl: isHttps(row.itemUrl) ? row.itemUrl : adUrlOf(String(row.itemId)),
      requestId: typeof row.requestId === 'number' ? String(row.requestId) : null,
      ownReferences: row.ownReferences,
      startPriceKronor: row.startPrice,
      state: foundState[row.state],
      bids: row.bidCount,
    }));
  return { found, pageCount: totalPages };
}

/** The address becomes a link in the dashboard and in partners' systems, so only https is allowed. */
const isHttps = (url: string | null | undefined): url is string =>
  typeof url === 'string' && /^https:\/\//i.test(url) && URL.canParse(url);

const updateState = { Active: 'active', Ended: 'ended', Sold: 'sold', Removed: 'removed' } as const;

/** The changed auctions in an answer. Throws {@link UnreadableAnswer}. */
export function readItemUpdates(body: unknown, adUrlOf: AdUrlOf): SellerItemUpdate[] {
  return updatedItemsAnswer(body).items.map((row) => ({
    adId: String(row.itemId),
    adUrl: adUrlOf(String(row.itemId)),
    state: updateState[row.state],
    bids: row.bidCount,
    priceKronor: row.currentPrice ?? null,
    endsAt: row.endDate == null ? null : timeOf(row.endDate),
    updatedAt: timeOf(row.updatedDate),
  }));
}

/** The sales in an answer. Throws {@link UnreadableAnswer}. */
export function readSellerTransactions(body: unknown, adUrlOf: AdUrlOf): SellerTransaction[] {
  return transactionsAnswer(body).transactions.map((row) => ({
    transactionId: String(row.transactionId),
    adId: String(row.itemId),
    adUrl: adUrlOf(String(row.itemId)),
    amountKronor: row.amount,
    soldAt: timeOf(row.date),
    updatedAt: timeOf(row.lastUpdatedDate),
    paid: row.isPaid,
  }));
}

/** A time of the marketplace. Throws {@link UnreadableAnswer}. */
export function timeOf(text: string): Date {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new UnreadableAnswer('a time in the answer cannot be read');
  return at;
}
