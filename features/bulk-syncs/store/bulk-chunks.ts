import { Schema, type ClientSession } from 'mongoose';
import { noCounts, type BulkCounts, type LeftOutCounts, type LineReport, type SenderStop } from '../rules/bulk-sync.ts';
import type { AccountId, ItemId } from '../../rules/ids.ts';
import type { FieldProblem } from '../../rules/field-problems.ts';
import { defineRows, type StoreConnection } from '../../../platform/database/connection.ts';

export interface StoredLine {
  /** From 1. */
  readonly line: number;
  readonly externalId: string;
  /** The member's reference as written in the line; left out when it has none. */
  readonly account?: string;
  /** An ItemRequest without its warnings as JSON text, which is read faster than a document and may have any names. */
  readonly request: string;
  /** Hash of the content (features/items/store/item-row.ts). Empty when the line asks for more than its content says. */
  readonly hash: string;
  /** Left out when there are none. */
  readonly warnings?: readonly FieldProblem[];
}

export interface LeftOutItem {
  /** From 1, over all items that the snapshot leaves out. */
  readonly line: number;
  readonly itemId: ItemId;
  readonly externalId: string;
}

interface ChunkPlace {
  /** Upload, account and number. */
  readonly _id: string;
  readonly uploadId: string;
  readonly accountId: AccountId;
  /** From 1 for each account: the order in which its chunks are applied. */
  readonly number: number;
}

/** What was applied of a chunk. Each piece raises it in the transaction of its items, so it is exact whatever dies. */
export interface ChunkProgress {
  /** How many of its lines, from its first, were applied. */
  readonly nextLine: number;
  readonly counts: BulkCounts;
  readonly leftOut: LeftOutCounts;
  /** Why the sender may write no more of the account; null when it may. */
  readonly stoppedBy: SenderStop | null;
}

const nothingApplied: ChunkProgress = { nextLine: 0, counts: noCounts, leftOut: {}, stoppedBy: null };

/** Some lines of one account, or some of the items that a snapshot leaves out. */
export type BulkChunk = ChunkPlace &
  ChunkProgress &
  (
    | { readonly kind: 'lines'; readonly lines: readonly StoredLine[] }
    | { readonly kind: 'removals'; readonly removals: readonly LeftOutItem[] }
  );

const schema = new Schema();
schema.set('shardKey', { accountId: 1 });
schema.index({ uploadId: 1, accountId: 1, number: 1 }, { partialFilterExpression: { isOpen: true } });
// Finds the accounts with waiting lines, over all uploads.
schema.index({ accountId: 1, uploadId: 1 }, { partialFilterExpression: { isOpen: true } });
schema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });
type ChunkRow = BulkChunk & {
  /** Not applied yet. */
  readonly isOpen: boolean;
  readonly purgeAt: Date;
};

const chunks = defineRows<ChunkRow>('bulk_chunks', schema);

/** After this time the database deletes the chunks of an upload that was never accepted. */
const uploadKeptMs = 86_400_000;

type Content = { kind: 'lines'; lines: readonly StoredLine[] } | { kind: 'removals'; removals: readonly LeftOutItem[] };
type Place = Omit<ChunkPlace, '_id'>;

/** Stores a chunk of an upload that is not accepted yet. */
export async function insertChunk(
  store: StoreConnection,
  place: Place,
  { content, now }: { content: Content; now: Date },
): Promise<void> {
  await chunks(store).insertOne({
    _id: [place.uploadId, place.accountId, place.number].join(':'),
    ...place,
    ...content,
    ...nothingApplied,
    isOpen: true,
    purgeAt: new Date(now.getTime() + uploadKeptMs),
  });
}

/** Extends the chunks' lifetime before their upload is accepted, so that the database does not delete them. */
export async function keepChunks(store: StoreConnection, uploadId: string, purgeAt: Date): Promise<void> {
  await chunks(store).updateMany({ uploadId, isOpen: true }, { $set: { purgeAt } });
}

export async function deleteChunks(store: StoreConnection, uploadId: string): Promise<void> {
  await chunks(store).deleteMany({ _id: ofUpload(uploadId) });
}

/** Accounts with chunks that are not applied yet. */
export async function findOpenAccounts(store: StoreConnection, uploadId: string): Promise<AccountId[]> {
  return chunks(store).distinct('accountId', { uploadId, isOpen: true });
}

/** Uploads, accepted or not, with chunks of the account that are not applied yet. */
export function findOpenUploads(
  store: StoreConnection,
  accountId: AccountId,
  session?: ClientSession,
): Promise<string[]> {
  return chunks(store).distinct('uploadId', { accountId, isOpen: true }, session === undefined ? {} : { session });
}

/** The account's next chunk that is not applied yet. A majority read. */
export function findNextChunk(
  store: StoreConnection,
  uploadId: string,
  accountId: AccountId,
): Promise<BulkChunk | null> {
  const open = { uploadId, accountId, isOpen: true };
  return chunks(store).findOne(open, { sort: { number: 1 } });
}

/** Stores what a piece has applied. Returns false when another process has applied it, or the chunk is closed. */
export async function advanceChunk(
  store: StoreConnection,
  { _id, accountId, nextLine }: BulkChunk,
  { progress, session }: { readonly progress: ChunkProgress; readonly session: ClientSession },
): Promise<boolean> {
  const asRead = { _id, accountId, isOpen: true, nextLine };
  const { modifiedCount } = await chunks(store).updateOne(asRead, { $set: progress }, { session });
  return modifiedCount === 1;
}

/** Marks the chunk as closed and drops its lines. Returns what was applied of it; null when another process has closed it. */
export function closeChunk(
  store: StoreConnection,
  { _id, accountId }: Pick<BulkChunk, '_id' | 'accountId'>,
  session: ClientSession,
): Promise<ChunkProgress | null> {
  const closed = { $set: { isOpen: false }, $unset: { lines: 1, removals: 1 } } as const;
  const progress = { nextLine: 1, counts: 1, leftOut: 1, stoppedBy: 1 } as const;
  return chunks(store).findOneAndUpdate({ _id, accountId, isOpen: true }, closed, { session, projection: progress });
}

/** Closes the chunks of which nothing was applied. */
export async function closeUntouched(store: StoreConnection, uploadId: string): Promise<void> {
  await chunks(store).updateMany({ uploadId, isOpen: true, nextLine: 0 }, { $set: { isOpen: false } });
}

export const findOpenChunk = (
  store: StoreConnection,
  uploadId: string,
): Promise<Pick<BulkChunk, '_id' | 'accountId'> | null> =>
  chunks(store).findOne({ uploadId, isOpen: true }, { projection: { accountId: 1 } });

/** Matches all rows of an upload in a collection whose ids begin with the upload id. */
export const ofUpload = (uploadId: string, after = ''): { $gt: string; $lt: string } => ({
  $gt: `${uploadId}:${after}`,
  $lt: `${uploadId};`,
});

/** The report of a refused line, or of an accepted one with warnings. */
interface ErrorRow {
  /** Upload, severity and line: errors sort first, each severity in file order, and no line appears twice. */
  readonly _id: string;
  readonly error: LineReport;
  readonly purgeAt: Date;
}

const errorSchema = new Schema();
errorSchema.set('shardKey', { _id: 1 });
errorSchema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });
const errors = defineRows<ErrorRow>('bulk_errors', errorSchema);

/** Covers the longest bulk sync and the time that its row is kept afterwards. */
const keptMs = 40 * 86_400_000;
const lineDigits = 9;

/** Stores reports of an upload. Throws a duplicate key error for a report that is stored already. */
export async function insertErrors(
  store: StoreConnection,
  uploadId: string,
  { reports, now, session }: { reports: readonly LineReport[]; now: Date; session?: ClientSession },
): Promise<void> {
  if (reports.length === 0) return;
  const purgeAt = new Date(now.getTime() + keptMs);
  const rows = reports.map((error) => ({ _id: `${uploadId}:${positionOf(error)}`, error, purgeAt }));
  await errors(store).insertMany(rows, session === undefined ? {} : { session });
}

export async function deleteErrors(store: StoreConnection, uploadId: string): Promise<void> {
  await errors(store).deleteMany({ _id: ofUpload(uploadId) });
}

/** Approximate size of a report, in memory or sent. */
export const bytesOf = (error: LineReport): number => Buffer.byteLength(JSON.stringify(error));

const pageBytesMax = 1024 * 1024;
/** Rows per read: reports are rarely long, and a page ends when it is full. */
const rowsAtOnce = 50;

/**
 * The reports after the position `after` ({@link positionOf}): errors first, then warnings, each in file order. At most
 * `rowsMax`, and fewer when they are long.
 */
export async function readErrors(
  store: StoreConnection,
  uploadId: string,
  { after, rowsMax }: { after: string; rowsMax: number },
): Promise<LineReport[]> {
  const later = { _id: ofUpload(uploadId, after) };
  const page: LineReport[] = [];
  let bytes = 0;
  for await (const { error: report } of errors(store).find(later, {
    sort: { _id: 1 },
    limit: rowsMax,
    batchSize: rowsAtOnce,
  })) {
    page.push(report);
    bytes += bytesOf(report);
    if (bytes >= pageBytesMax) break;
  }
  return page;
}

/** Sort position of a report within its upload: the letter of a warning sorts after all digits. */
export const positionOf = ({ severity, line }: Pick<LineReport, 'severity' | 'line'>): string =>
  (severity === 'warning' ? 'w' : '') + String(line).padStart(lineDigits, '0');
