import { Schema, type ClientSession, type mongo } from 'mongoose';
import type { LineReport } from '../../core/bulk-syncs/line-report.ts';
import { ofUpload } from './bulk-chunks.ts';
import { defineCollection, type StoreConnection } from '../database/connection.ts';

/** A line that was refused, or that its caller is warned of. */
interface ErrorRow {
  /** Upload, severity and line: errors first, each in the order of the file, and no line twice. */
  readonly _id: string;
  readonly error: LineReport;
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

/** About what a reported line takes, held or sent. */
export const bytesOf = (error: LineReport): number => Buffer.byteLength(JSON.stringify(error));

const pageBytesMax = 1024 * 1024;
/** Read at once: reports are seldom long, and a page ends when it is full. */
const rowsAtOnce = 50;

/** Errors first, each in the order of the file, those after {@link positionOf} `after`: at most `rowsMax`, and fewer when they are long. */
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

/** Where a report stands among those of its upload: what is not a digit comes after all that is. */
export const positionOf = ({ severity, line }: Pick<LineReport, 'severity' | 'line'>): string =>
  (severity === 'warning' ? 'w' : '') + String(line).padStart(lineDigits, '0');
