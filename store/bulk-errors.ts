import { Schema, type ClientSession, type mongo } from 'mongoose';
import type { LineError } from '../core/bulk-syncs/line-error.ts';
import { ofUpload } from './bulk-chunks.ts';
import { defineCollection, type StoreConnection } from './connection.ts';

/** A line that was refused. */
interface ErrorRow {
  /** Upload and line: in the order of the file, and no line twice. */
  readonly _id: string;
  readonly error: LineError;
  readonly purgeAt: Date;
}

const schema = new Schema({ _id: String, error: {}, purgeAt: Date }, { versionKey: false, minimize: false });
schema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });
const model = defineCollection<ErrorRow>('bulk_errors', schema);

function errors(store: StoreConnection): mongo.Collection<ErrorRow> {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- mongoose types its collection without the row
  return model(store).collection as unknown as mongo.Collection<ErrorRow>;
}

/** As long as a bulk sync may take, and then as long as its row. */
const keptMs = 40 * 86_400_000;
const lineDigits = 9;

export async function insertErrors(
  store: StoreConnection,
  uploadId: string,
  { failed, now, session }: { failed: readonly LineError[]; now: Date; session?: ClientSession },
): Promise<void> {
  if (failed.length === 0) return;
  const purgeAt = new Date(now.getTime() + keptMs);
  const rows = failed.map((error) => ({ _id: idOf(uploadId, error.line), error, purgeAt }));
  await errors(store).insertMany(rows, session === undefined ? {} : { session });
}

export async function deleteErrors(store: StoreConnection, uploadId: string): Promise<void> {
  await errors(store).deleteMany({ _id: ofUpload(uploadId) });
}

/** About what a refused line takes, held or sent. */
export const bytesOf = (error: LineError): number => Buffer.byteLength(JSON.stringify(error));

const pageBytesMax = 1024 * 1024;
/** Read at once: refusals are seldom long, and a page ends when it is full. */
const rowsAtOnce = 50;

/** In the order of the file, those after line `after`: at most `rowsMax`, and fewer when they are long. */
export async function readErrors(
  store: StoreConnection,
  uploadId: string,
  { after, rowsMax }: { after: number; rowsMax: number },
): Promise<LineError[]> {
  const later = { _id: ofUpload(uploadId, digitsOf(after)) };
  const page: LineError[] = [];
  let bytes = 0;
  for await (const { error } of errors(store).find(later, {
    sort: { _id: 1 },
    limit: rowsMax,
    batchSize: rowsAtOnce,
  })) {
    page.push(error);
    bytes += bytesOf(error);
    if (bytes >= pageBytesMax) break;
  }
  return page;
}

const digitsOf = (line: number): string => String(line).padStart(lineDigits, '0');
const idOf = (uploadId: string, line: number): string => `${uploadId}:${digitsOf(line)}`;
