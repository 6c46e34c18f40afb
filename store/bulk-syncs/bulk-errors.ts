import { Schema, type ClientSession, type mongo } from 'mongoose';
import type { LineReport } from '../../core/bulk-syncs/bulk-sync.ts';
import { ofUpload } from './bulk-chunks.ts';
import { defineCollection, rowsOf, type StoreConnection } from '../database/connection.ts';

/** A line that was refused, or was taken with a warning. */
interface ErrorRow {
  /** Upload, severity and line: errors sort first, each severity in file order, and no line appears twice. */
  readonly _id: string;
  readonly error: LineReport;
  readonly purgeAt: Date;
}

const schema = new Schema({ _id: String, error: {}, purgeAt: Date }, { versionKey: false, minimize: false });
schema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });
const model = defineCollection<ErrorRow>('bulk_errors', schema);

const errors = (store: StoreConnection): mongo.Collection<ErrorRow> => rowsOf(model(store));

/** Covers the longest bulk sync and the time that its row is kept afterwards. */
const keptMs = 40 * 86_400_000;
const lineDigits = 9;

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
/** Rows of one read: reports are seldom long, and the page stops when it is full. */
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
