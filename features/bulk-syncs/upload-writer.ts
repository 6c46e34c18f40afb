import { lineError, type LineError } from './rules/bulk-sync.ts';
import type { AccountId } from '../rules/ids.ts';
import { bytesOf, insertChunk, insertErrors, type StoredLine } from './store/bulk-chunks.ts';
import { insertIds } from './store/snapshot-external-ids.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { contentHash } from '../items/store/item-row.ts';
import type { LineSink, PlacedLine } from './placed-line.ts';

export interface UploadWriterOptions {
  readonly store: StoreConnection;
  readonly uploadId: string;
  readonly now: () => Date;
  /** True for a snapshot: its external ids are stored, too, to find the items it leaves out. */
  readonly keepsIds: boolean;
  /** False: only the ids are stored, not the lines. */
  readonly keepsLines: boolean;
  /** Default: the functions of the store. */
  readonly inserts?: ChunkInserts;
}

export interface ChunkInserts {
  readonly insertChunk: typeof insertChunk;
  readonly insertErrors: typeof insertErrors;
  readonly insertIds: typeof insertIds;
}

export interface UploadWriter extends LineSink {
  /** Writes the held lines. Resolves when everything is stored. */
  finish(): Promise<void>;
  /** Resolves when no write is under way; errors are not reported. */
  allWritten(): Promise<void>;
  readonly failed: () => number;
  /** Bytes of lines and reports that no write has taken yet. */
  readonly heldBytes: () => number;
  /** How often memory was freed by a search through all accounts. */
  readonly searches: () => number;
  /** Number of the account's next chunk. */
  nextNumber(accountId: AccountId): number;
}

/** Limits of one chunk. A chunk belongs to one account and is applied in one go. */
const chunkLinesMax = 200;
const chunkBytesMax = 512 * 1024;
/** Limits over all accounts for the part of an upload held in memory. */
const heldBytesMax = 8 * 1024 * 1024;
const heldLinesMax = 50_000;
const errorsAtOnce = 200;
const errorBytesMax = chunkBytesMax;
/** Parallel writes, so that chunks share the flushes of the database's journal. */
const writesAtOnce = 4;

interface Held {
  lines: StoredLine[];
  externalIds: string[];
  count: number;
  bytes: number;
}

/** Returns the bytes that the line takes. */
function hold(
  held: Held,
  placed: PlacedLine,
  { keepsIds, keepsLines }: Pick<UploadWriterOptions, 'keepsIds' | 'keepsLines'>,
): number {
  const { line, externalId, account } = placed;
  let bytes = Buffer.byteLength(externalId);
  // The id of a refused line is kept too: a snapshot that names an item has not left it out.
  if (keepsIds) held.externalIds.push(externalId);
  if (keepsLines && 'request' in placed) {
    const { warnings, ...asked } = placed.request;
    const request = JSON.stringify(asked);
    // Without a hash the line is applied even when its content is unchanged.
    const hash = asked.refreshImages === true ? '' : contentHash(asked.content);
    const optional = { ...(account !== undefined && { account }), ...(warnings.length > 0 && { warnings }) };
    held.lines.push({ line, externalId, request, hash, ...optional });
    bytes += Buffer.byteLength(request) + (warnings.length === 0 ? 0 : JSON.stringify(warnings).length);
  }
  held.count += 1;
  held.bytes += bytes;
  return bytes;
}

export async function bothDone(...works: readonly Promise<void>[]): Promise<void> {
  await Promise.all(works);
}

/**
 * Stores the lines of an upload in chunks of one account each, in their order, and the failed lines. A caller must await `take`
 * and `fail` when they return a promise: that slows the sender down.
 */
export function createUploadWriter(options: UploadWriterOptions): UploadWriter {
  const { store, uploadId, now, keepsIds, keepsLines, inserts = { insertChunk, insertErrors, insertIds } } = options;
  const accounts = new Map<AccountId, Held>();
  const numbers = new Map<AccountId, number>();
  const writes = createWrites();
  const errors = createErrorBuffer((failed) =>
    writes.add(() => inserts.insertErrors(store, uploadId, { reports: failed, now: now() })),
  );
  let heldBytes = 0;
  let heldLines = 0;
  let searches = 0;

  const nextNumber = (accountId: AccountId): number => {
    const number = (numbers.get(accountId) ?? 0) + 1;
    numbers.set(accountId, number);
    return number;
  };
  const flush = (accountId: AccountId, held: Held): Promise<void> => {
    accounts.delete(accountId);
    heldBytes -= held.bytes;
    heldLines -= held.count;
    const number = nextNumber(accountId);
    return writes.add(() => storeHeld({ ...options, inserts }, { accountId, number }, held));
  };
  const isOver = (share: number): boolean =>
    heldBytes + errors.bytes() > heldBytesMax * share || heldLines > heldLinesMax * share;
  /**
   * Frees memory to half of the limit. Otherwise each line of a file with thousands of accounts would cause a search and a write.
   */
  const makeRoom = async (): Promise<void> => {
    searches += 1;
    const largestFirst = [...accounts].toSorted(([, one], [, other]) => other.bytes - one.bytes);
    for (const [accountId, held] of largestFirst) {
      if (!isOver(1 / 2)) return;
      await flush(accountId, held);
    }
  };

  return {
    failed: () => errors.count(),
    heldBytes: () => heldBytes + errors.bytes(),
    searches: () => searches,
    nextNumber,
    take: (placed) => {
      const { accountId } = placed;
      const reported = 'refusal' in placed ? errors.add(lineError(placed, placed.refusal)) : undefined;
      if ('refusal' in placed && !keepsIds) return reported;
      const held = accounts.get(accountId) ?? { lines: [], externalIds: [], count: 0, bytes: 0 };
      accounts.set(accountId, held);
      const bytes = hold(held, placed, { keepsIds, keepsLines });
      heldBytes += bytes;
      heldLines += 1;
      const isFull = held.count >= chunkLinesMax || held.bytes >= chunkBytesMax;
      const stored = isFull ? flush(accountId, held) : isOver(1) ? makeRoom() : undefined;
      return reported === undefined || stored === undefined ? (reported ?? stored) : bothDone(reported, stored);
    },
    fail: (error) => errors.add(error),
    finish: async () => {
      for (const [accountId, held] of accounts) await flush(accountId, held);
      await errors.flush();
      await writes.finish();
    },
    allWritten: () => writes.allWritten(),
  };
}

async function storeHeld(
  { store, uploadId, now, keepsIds, inserts }: UploadWriterOptions & { readonly inserts: ChunkInserts },
  { accountId, number }: { readonly accountId: AccountId; readonly number: number },
  { lines, externalIds }: Held,
): Promise<void> {
  const content = { kind: 'lines', lines } as const;
  if (lines.length > 0) await inserts.insertChunk(store, { uploadId, accountId, number }, { content, now: now() });
  if (keepsIds) await inserts.insertIds(store, { uploadId, number }, { externalIds, now: now() });
}

/** Lines that failed, held until some hundred or some bytes of them are worth a write. */
function createErrorBuffer(write: (failed: readonly LineError[]) => Promise<void>) {
  let held: LineError[] = [];
  let bytes = 0;
  let count = 0;
  const flush = (): Promise<void> => {
    const taken = held;
    held = [];
    bytes = 0;
    return write(taken);
  };
  return {
    flush,
    bytes: () => bytes,
    /** Number of all errors ever added. */
    count: () => count,
    add: (error: LineError): Promise<void> | undefined => {
      count += 1;
      held.push(error);
      bytes += bytesOf(error);
      return held.length < errorsAtOnce && bytes < errorBytesMax ? undefined : flush();
    },
  };
}

/** Runs a few writes at once. A failed write fails the next `add`, or `finish`. */
function createWrites() {
  const underWay = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  const check = (): void => {
    if (failure !== undefined) throw failure.error;
  };
  return {
    add: async (write: () => Promise<void>): Promise<void> => {
      check();
      const running: Promise<void> = write()
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => underWay.delete(running));
      underWay.add(running);
      if (underWay.size >= writesAtOnce) await Promise.race(underWay);
    },
    finish: async (): Promise<void> => {
      await Promise.all(underWay);
      check();
    },
    allWritten: async (): Promise<void> => {
      await Promise.all(underWay);
    },
  };
}
