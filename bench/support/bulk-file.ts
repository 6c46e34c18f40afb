import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { request } from 'undici';
import type { ApiMember, ApiReseller } from '../../test/support/set-up-reseller.ts';
import { until } from '../../test/support/until.ts';
import { itemBody, startPrice } from './catalogue.ts';
import type { Product } from './product.ts';

/** What a file has: so many lines, member after member in turn, under external ids that all members use alike. */
export interface BulkFile {
  readonly lines: number;
  readonly members: readonly ApiMember[];
  /** Begins all external ids. */
  readonly prefix: string;
}

const fields = JSON.stringify(itemBody(startPrice)).slice(1);
/** As many as make a piece of about 64 KB. */
const linesPerPiece = 64;

/** Written while it is sent: the file is never in memory as a whole. */
export function* bulkText({ lines, members, prefix }: BulkFile): Generator<string> {
  for (let from = 0; from < lines; from += linesPerPiece) {
    let piece = '';
    for (let n = from; n < Math.min(lines, from + linesPerPiece); n += 1) {
      const account = members[n % members.length]?.reference ?? '';
      piece += `{"externalId":"${prefix}-${Math.floor(n / members.length)}","account":"${account}",${fields}\n`;
    }
    yield piece;
  }
}

export interface SentFile {
  /** Time until it was answered. */
  readonly ms: number;
  readonly id: string;
}

/** Sends a file to an address that takes it with 202. */
export async function sendFile(url: string, file: BulkFile, apiKey = ''): Promise<SentFile> {
  const startedAt = performance.now();
  const answer = await request(url, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/x-ndjson' },
    body: Readable.from(bulkText(file)),
    headersTimeout: 0,
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 202) throw new Error(`the file was answered ${answer.statusCode}: ${text}`);
  const { id = '' } = JSON.parse(text) as { id?: string };
  return { ms: performance.now() - startedAt, id };
}

export const uploadFile = ({ apiUrl }: Product, { apiKey }: ApiReseller, file: BulkFile): Promise<SentFile> =>
  sendFile(`${apiUrl}/integration/v1/bulk-syncs`, file, apiKey);

export interface AppliedFile {
  /** From its acceptance until its last line was applied. */
  readonly ms: number;
  readonly created: number;
  readonly unchanged: number;
}

interface BulkRow {
  readonly _id: string;
  readonly state: string;
  readonly created: number;
  readonly unchanged: number;
  readonly failed: number;
}

const findBulk = ({ foundation }: Product, id: string): Promise<BulkRow | null> =>
  foundation.store.connection.collection<BulkRow>('bulk_syncs').findOne({ _id: id });

export const isBeingApplied = async (product: Product, id: string): Promise<boolean> =>
  (await findBulk(product, id))?.state === 'running';

const applyTimeoutMs = 30 * 60_000;

/** Waits until every line of a bulk sync was applied; throws when one failed. */
export async function untilApplied(product: Product, id: string): Promise<AppliedFile> {
  const startedAt = performance.now();
  const isDone = async () => {
    const found = await findBulk(product, id);
    return found?.state === 'completed' && found;
  };
  const row = await until('the bulk sync is completed', isDone, applyTimeoutMs);
  if (row.failed > 0) throw new Error(`${row.failed} lines failed`);
  return { ms: performance.now() - startedAt, created: row.created, unchanged: row.unchanged };
}
