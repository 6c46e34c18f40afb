// What the marketplace answers about requests, items and sales (REST v4). Each reader throws UnreadableAnswer.
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { resultBits } from './v4-objects.ts';
import type { Auction, DraftReceipt, RequestResult, SellerTransaction } from './port.ts';
import {
  anything,
  count,
  id,
  isSafeUrl,
  kronor,
  listIn,
  maybe,
  maybeText,
  reader,
  requiredTimeOf,
  rowsReader,
  shortened,
  textsOf,
  timeOf,
  told,
  UnreadableAnswer,
  type ReportRows,
} from './wire-kit.ts';

/** Public address of an ad, for answers that do not name it. */
export type AdUrlOf = (adId: string) => string;

export interface Reading {
  readonly adUrlOf: AdUrlOf;
  readonly report: ReportRows;
  readonly now: Date;
}

const queuedAnswer = reader(Type.Object({ requestId: id, itemId: id }));

export function readReceipt(body: unknown): DraftReceipt {
  const { requestId, itemId } = queuedAnswer(body);
  return { requestId: String(requestId), adId: String(itemId) };
}

// ── requests ────────────────────────────────────────────────────────────────────

const resultRows = rowsReader(Type.Object({ requestId: id, resultCode: count, message: anything }));

type Bit = keyof typeof resultBits;

/**
 * The bit field of a request. Bits come combined, so the order matters: Ok wins over all others, TryAgain over the errors beside it.
 * No row means that there is no result yet.
 */
export function readRequestResult(body: unknown, requestId: string, report: ReportRows): RequestResult {
  const row = resultRows(body, report).find((result) => String(result.requestId) === requestId);
  if (row === undefined || Number(row.resultCode) === 0) return { kind: 'none' };
  const [code, said] = [Number(row.resultCode), briefly(row.message)];
  const has = (...names: Bit[]): boolean => names.some((name) => (code & resultBits[name]) !== 0);
  if (has('Ok')) return { kind: 'ok', imagesRefused: has('ImageProcessingError') };
  if (has('TryAgain')) return { kind: 'try_again', message: said ?? againWords(has) };
  if (has('Timeout')) return { kind: 'timed_out', message: said ?? words.timeout };
  if (has('ReachedMaximumActiveItemsThreshold')) return { kind: 'too_many_active', message: said ?? words.activeLimit };
  if (has('WaitingToBeProcessed')) return { kind: 'waiting' };
  if (has('Uncommited')) return { kind: 'uncommitted' };
  const message = said ?? `${refusalWords(has, code)}; then publish the item again`;
  return { kind: 'refused', message, ...(has('ImageProcessingError') && { imagesRefused: true }) };
}

function briefly(message: unknown): string | null {
  const text = told(message);
  return text === null ? null : shortened(text);
}

/** Texts for a partner when the marketplace sent none: the meaning and the next step. They are parts of sentences. */
const words = {
  timeout: 'the marketplace ran out of time over it and put nothing up; the service tries again',
  activeLimit:
    'the marketplace allows no more active auctions of this account; the item goes up when one of them ends or is taken down',
  images:
    'the marketplace could not use the pictures and put nothing up, so push others (JPEG or PNG that open in a browser)',
  error: 'the marketplace refused it and gave no reason, so check title, description, category, price and pictures',
} as const;

function againWords(has: (name: Bit) => boolean): string {
  const reason = has('ImageProcessingError') ? 'it could not work on the pictures just now' : 'it gave no reason';
  return `${reason}; nothing needs to be done`;
}

function refusalWords(has: (name: Bit) => boolean, code: number): string {
  if (has('ImageProcessingError')) return words.images;
  if (has('Error') || has('UpdateNotAllowed')) return words.error;
  return `the marketplace answered with result ${code}, which the service does not know, so check the item`;
}

// ── items ───────────────────────────────────────────────────────────────────────

const specified = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]));
const Item = Type.Object({
  id,
  ownReferences: anything,
  openingBid: maybe(kronor),
  reservePrice: maybe(kronor),
  reservePriceSpecified: specified,
  buyItNowPrice: maybe(kronor),
  buyItNowPriceSpecified: specified,
  maxBid: maybe(kronor),
  maxBidSpecified: specified,
  totalBids: maybe(count),
  endDate: maybeText,
  status: anything,
  itemLink: anything,
  imageLinks: anything,
});
/** The document does not show its form. Without it the end of the auction and its sales tell the same. */
const Status = Compile(Type.Object({ ended: maybe(Type.Boolean()), gotWinner: maybe(Type.Boolean()) }));
const itemAnswer = reader(Item);
const itemRows = rowsReader(Item);

export const readAuction = (body: unknown, reading: Reading): Auction => auctionOf(itemAnswer(body), reading);

/** Auctions in an answer; one whose end can't be read is left out like any other bad row. */
export const readAuctions = (body: unknown, reading: Reading): Auction[] =>
  eachRow(itemRows(body, reading.report), (row) => auctionOf(row, reading), reading.report);

/** Leaves out rows whose times can't be read, as {@link rowsReader} does for other fields. */
export function eachRow<Row, Read>(rows: readonly Row[], read: (row: Row) => Read, report: ReportRows): Read[] {
  const readable = rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch (error) {
      if (error instanceof UnreadableAnswer) return [];
      throw error;
    }
  });
  if (readable.length < rows.length) report({ rows: rows.length - readable.length, of: rows.length });
  return readable;
}

/** The address becomes a link in the dashboard and in partners' systems. */
const isLink = (url: unknown): url is string => typeof url === 'string' && isSafeUrl(url);

function auctionOf(row: Static<typeof Item>, { adUrlOf, now }: Reading): Auction {
  const adId = String(row.id);
  const endsAt = timeOf(row.endDate);
  const status = Status.Check(row.status) ? row.status : {};
  const hasWinner = status.gotWinner ?? null;
  const bids = Number(row.totalBids ?? 0);
  const startPriceKronor = Number(row.openingBid ?? 0);
  return {
    adId,
    adUrl: isLink(row.itemLink) ? row.itemLink : adUrlOf(adId),
    ownReferences: textsOf(row.ownReferences),
    isOver: hasWinner === true || (status.ended ?? (endsAt !== null && endsAt <= now)),
    hasWinner,
    bids,
    startPriceKronor,
    reservePriceKronor: priceOf(row.reservePrice, row.reservePriceSpecified),
    buyNowPriceKronor: priceOf(row.buyItNowPrice, row.buyItNowPriceSpecified),
    priceKronor: bids > 0 ? (priceOf(row.maxBid, row.maxBidSpecified) ?? startPriceKronor) : startPriceKronor,
    endsAt,
    pictures: Array.isArray(row.imageLinks) ? row.imageLinks.length : null,
  };
}

/** `…Specified: false` means that there is none, and the number is 0. */
const priceOf = (price: number | string | null | undefined, isSpecified: boolean | null | undefined): number | null =>
  isSpecified === false ? null : Number(price ?? 0) || null;

const priceAnswer = reader(
  Type.Object({
    isSuccessful: Type.Boolean(),
    validationErrors: maybe(Type.Array(Type.Object({ errorMessage: maybeText }))),
  }),
);

/** null: taken; else why not. */
export function readPriceRefusal(body: unknown): string | null {
  const { isSuccessful, validationErrors } = priceAnswer(body);
  if (isSuccessful) return null;
  const said = (validationErrors ?? []).flatMap(({ errorMessage }) => told(errorMessage) ?? []).join('; ');
  return said === '' ? 'the marketplace gave no reason' : shortened(said);
}

export function readEnded(body: unknown): boolean {
  if (typeof body !== 'boolean') throw new UnreadableAnswer('the answer to a take-down is neither true nor false');
  return body;
}

/**
 * The highest row version of an answer, or `mark` when none is higher. Read from the text, because a version may have more digits than
 * a number of JavaScript holds.
 */
export function readHighestRowVersion(body: unknown, text: string, mark: string): string {
  listIn(body);
  const versions = [...text.matchAll(/"rowVersion"\s*:\s*"?(\d+)/gi)].map(([, digits = '0']) => BigInt(digits));
  return versions.reduce((highest, version) => (version > highest ? version : highest), BigInt(mark)).toString();
}

// ── sales ───────────────────────────────────────────────────────────────────────

const transactionRows = rowsReader(
  Type.Object({
    id,
    amount: kronor,
    date: Type.String(),
    isMarkedAsPaidConfirmed: maybe(Type.Boolean()),
    item: maybe(Type.Object({ id, ownReferences: anything })),
  }),
);

export const readTransactions = (body: unknown, { adUrlOf, report }: Reading): SellerTransaction[] =>
  eachRow(
    transactionRows(body, report),
    ({ item, ...row }) => {
      if (item == null) throw new UnreadableAnswer('a sale does not say of what');
      return {
        transactionId: String(row.id),
        adId: String(item.id),
        adUrl: adUrlOf(String(item.id)),
        ownReferences: textsOf(item.ownReferences),
        amountKronor: Number(row.amount),
        soldAt: requiredTimeOf(row.date),
        isPaid: row.isMarkedAsPaidConfirmed === true,
      };
    },
    report,
  );
