import type { LineError } from '../../core/bulk-syncs/line-error.ts';
import type { AccountId } from '../../core/ids.ts';
import { insertChunk, type StoredLine } from '../../store/bulk-chunks.ts';
import { insertErrors } from '../../store/bulk-errors.ts';
import { insertIds } from '../../store/bulk-ids.ts';
import type { StoreConnection } from '../../store/connection.ts';
import type { LineSink, PlacedLine } from './read-upload.ts';

export interface ChunkWriterOptions {
  readonly store: StoreConnection;
  readonly uploadId: string;
  readonly now: () => Date;
  /** A snapshot's external ids are stored, too, to find what it leaves out. */
  readonly keepsIds: boolean;
  /** false: only ids are stored. */
  readonly keepsLines: boolean;
}

export interface ChunkWriter extends LineSink {
  /** Writes what is left. Resolves when all of it is stored. */
  finish(): Promise<void>;
  /** Resolves when nothing is being written any more; what went wrong is not told. */
  settle(): Promise<void>;
  readonly failed: () => number;
  /** Number of the account's next chunk. */
  nextNumber(accountId: AccountId): number;
}

/** Of one account; a chunk is applied in one go. */
const chunkLinesMax = 200;
const chunkBytesMax = 512 * 1024;
/** Over all accounts: what is held in memory of an upload. */
const heldBytesMax = 8 * 1024 * 1024;
const heldLinesMax = 50_000;
const errorsAtOnce = 200;
/** So that chunks share the journal's flushes. */
const writesAtOnce = 4;

interface Held {
  lines: StoredLine[];
  externalIds: string[];
  bytes: number;
}

/**
 * Stores an upload's lines in chunks of one account each, in their order, and the lines that failed. Whoever gives it lines
 * waits when it asks for it: that is what holds the sender back.
 */
export function createChunkWriter(options: ChunkWriterOptions): ChunkWriter {
  const { store, uploadId, now, keepsIds, keepsLines } = options;
  const accounts = new Map<AccountId, Held>();
  const numbers = new Map<AccountId, number>();
  const writes = createWrites();
  let heldBytes = 0;
  let heldLines = 0;
  let errors: LineError[] = [];
  let failed = 0;

  const nextNumber = (accountId: AccountId): number => {
    const number = (numbers.get(accountId) ?? 0) + 1;
    numbers.set(accountId, number);
    return number;
  };
  const flush = (accountId: AccountId, held: Held): Promise<void> => {
    accounts.delete(accountId);
    heldBytes -= held.bytes;
    heldLines -= held.lines.length;
    const number = nextNumber(accountId);
    return writes.add(async () => {
      const { lines, externalIds } = held;
      if (keepsLines)
        await insertChunk(store, { uploadId, accountId, number }, { content: { kind: 'lines', lines }, now: now() });
      if (keepsIds) await insertIds(store, { uploadId, number }, { externalIds, now: now() });
    });
  };
  const flushErrors = (): Promise<void> => {
    const taken = errors;
    errors = [];
    return writes.add(() => insertErrors(store, uploadId, { failed: taken, now: now() }));
  };

  return {
    failed: () => failed,
    nextNumber,
    take: ({ accountId, line, text, bytes, externalId }: PlacedLine) => {
      const held = accounts.get(accountId) ?? { lines: [], externalIds: [], bytes: 0 };
      accounts.set(accountId, held);
      held.lines.push({ line, text });
      if (keepsIds) held.externalIds.push(externalId);
      held.bytes += bytes;
      heldBytes += bytes;
      heldLines += 1;
      if (held.lines.length >= chunkLinesMax || held.bytes >= chunkBytesMax) return flush(accountId, held);
      if (heldBytes > heldBytesMax || heldLines > heldLinesMax) return flush(...largest(accounts));
      return undefined;
    },
    fail: (error) => {
      failed += 1;
      errors.push(error);
      return errors.length < errorsAtOnce ? undefined : flushErrors();
    },
    finish: async () => {
      for (const [accountId, held] of accounts) await flush(accountId, held);
      await flushErrors();
      await writes.finish();
    },
    settle: () => writes.settle(),
  };
}

function largest(accounts: ReadonlyMap<AccountId, Held>): [AccountId, Held] {
  let found: [AccountId, Held] | undefined;
  for (const [accountId, held] of accounts)
    if (found === undefined || held.bytes > found[1].bytes) found = [accountId, held];
  if (found === undefined) throw new Error('nothing is held');
  return found;
}

/** A few writes under way at once. One that failed fails whoever adds the next, or waits for the end. */
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
    settle: async (): Promise<void> => {
      await Promise.all(underWay);
    },
  };
}
