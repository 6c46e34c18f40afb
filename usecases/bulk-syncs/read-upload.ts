import { hash, randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { lineError, type BulkMode, type LineError, type UploadLimits } from '../../core/bulk-syncs/bulk-sync.ts';
import { Refusal } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import type { Logger } from '../../platform/logger.ts';
import {
  checkLine,
  readLine,
  UnreadableLine,
  type BulkLine,
  type CheckedLine,
} from '../../schemas/bulk-syncs/read-line.ts';
import { validationFailed } from '../../schemas/compile-schema.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { findMemberByReference } from '../../store/resellers/member-connections.ts';
import { splitLines, type RawLine } from './split-lines.ts';

/** A body of any size, read once. */
export interface UploadBody {
  /** Resolves when enough bytes have arrived to show that the body is coming. Throws as `bytes`. */
  begin(): Promise<void>;
  /** Throws {@link Refusal} when it breaks off, is too large or too slow. */
  bytes(): AsyncIterable<Uint8Array>;
  /** Digest of all bytes; valid once they have been read. */
  digest(): string;
  /** Reads the rest of the body for its digest. */
  drain(): Promise<void>;
}

/** A line with a known account and item, and its request or refusal. */
export type PlacedLine = Omit<NamedLine, 'body' | 'repeated'> & { readonly accountId: AccountId } & CheckedLine;

/** Receives the lines of an upload, one after the other. */
export interface LineSink {
  take(line: PlacedLine): Promise<void> | undefined;
  /** For a line with an unknown item or account. */
  fail(error: LineError): Promise<void> | undefined;
}

/** Lines of an upload that are not empty, and lines whose id an earlier line of the same account has. */
export interface LineCounts {
  readonly total: number;
  readonly repeated: number;
}

export interface UploadWish {
  readonly mode: BulkMode;
  readonly body: UploadBody;
  readonly limits: UploadLimits;
}

/**
 * Reads an upload line by line into `sink`, at the pace of the sink, and counts the lines. Throws {@link Refusal} as the body
 * does, PAYLOAD_TOO_LARGE for too many lines, and BAD_REQUEST for none in mode `merge`. VALIDATION_FAILED means a line of a
 * snapshot that is for another account or can't be attributed to an item.
 */
export async function readUpload(
  { store, logger, sink }: { store: StoreConnection; logger: Pick<Logger, 'error'>; sink: LineSink },
  scope: Scope,
  { mode, body, limits }: UploadWish,
): Promise<LineCounts> {
  const place = placer(store, scope);
  const pauses = createPauses();
  const seen = createSeenIds();
  let total = 0;
  let repeated = 0;
  const take = ({ body: asked, repeated: namesRepeated, ...named }: PlacedName): Promise<void> | undefined => {
    const { externalId, line } = named;
    const repeats = seen.firstLine(`${named.accountId} ${externalId}`, line);
    if (repeats !== undefined) repeated += 1;
    const onUnexpected = (error: unknown): void =>
      logger.error({ line, err: error instanceof Error ? error.name : typeof error }, 'bulk_sync.line_not_checked');
    return sink.take({
      ...named,
      ...checkLine({ externalId, body: asked, repeated: namesRepeated }, { repeats, onUnexpected }),
    });
  };
  for await (const { lines, lineCount } of splitLines(body.bytes(), limits.lineBytesMax)) {
    if (lineCount > limits.linesMax)
      throw new Refusal('PAYLOAD_TOO_LARGE', `The body has more than ${limits.linesMax} lines`);
    total += lines.length;
    for (const raw of lines) {
      if (pauses.isDue()) await pauses.take();
      const read = readRaw(raw, limits);
      const placed = 'externalId' in read && 'body' in read ? await place(read) : read;
      if (mode === 'snapshot') requireSnapshotLine(placed, scope);
      const taken = 'body' in placed ? take(placed) : sink.fail(placed);
      if (taken !== undefined) await taken;
    }
  }
  if (total === 0 && mode === 'merge') throw new Refusal('BAD_REQUEST', 'The body has no lines');
  return { total, repeated };
}

const turnMsMax = 5;

/** One piece of a body may have 20,000 lines, so the loop pauses and lets other calls run. */
function createPauses() {
  let begunAt = performance.now();
  return {
    isDue: (): boolean => performance.now() - begunAt > turnMsMax,
    take: async (): Promise<void> => {
      await nextTurn();
      begunAt = performance.now();
    },
  };
}

type NamedLine = BulkLine & { readonly line: number };
type PlacedName = NamedLine & { readonly accountId: AccountId };

function readRaw(raw: RawLine, { lineBytesMax }: UploadLimits): NamedLine | LineError {
  const { line } = raw;
  if ('problem' in raw) {
    const message =
      raw.problem === 'too-long' ? `The line is longer than ${lineBytesMax} bytes` : 'The line is not valid UTF-8';
    return lineError({ line, externalId: null }, new Refusal('BAD_REQUEST', message));
  }
  try {
    return { ...readLine(raw.text), line };
  } catch (error) {
    if (!(error instanceof UnreadableLine)) throw error;
    return lineError({ line, externalId: error.externalId, account: error.account }, error.refusal);
  }
}

/** Looks up each reference once per upload, within the size of the cache. */
function placer(store: StoreConnection, { accountId, actingAccountId }: Scope) {
  const known = new LRUCache<string, { readonly accountId: AccountId | null }>({ max: 10_000 });
  const find = async (reference: string): Promise<AccountId | null> => {
    const remembered = known.get(reference);
    if (remembered !== undefined) return remembered.accountId;
    const found = await findMemberByReference(store, actingAccountId, reference);
    known.set(reference, { accountId: found });
    return found;
  };
  return async (line: NamedLine): Promise<PlacedName | LineError> => {
    if (line.account === undefined) return { ...line, accountId };
    const found = await find(line.account);
    return found === null ? lineError(line, unknownAccount()) : { ...line, accountId: found };
  };
}

/** The refusal of a line whose account is unknown. */
export const unknownAccount = (): Refusal =>
  new Refusal('PARTNER_ACCOUNT_FORBIDDEN', 'The account names no member that this account may act for');

/**
 * A line without a known item must fail the whole upload, because its item would count as left out and be taken down.
 */
function requireSnapshotLine(placed: PlacedName | LineError, scope: Scope): void {
  if (!('body' in placed)) {
    if (placed.code === 'PARTNER_ACCOUNT_FORBIDDEN') throw otherAccount(placed.line);
    throw badLine(placed.line, `can't be attributed to an item: ${placed.error}`);
  }
  if (placed.accountId !== scope.accountId) throw otherAccount(placed.line);
}

const otherAccount = (line: number): Refusal => badLine(line, 'is for another account: a snapshot is for one');

const badLine = (line: number, message: string): Refusal => validationFailed([{ field: `line ${line}`, message }]);

/** 2 to the power of this exceeds the lines of any upload. */
const lineBits = 20;
const lineMask = 2 ** lineBits - 1;
/** Above this share a look-up would pass too many slots. A million lines just fit into 2 to the power of 20 slots. */
const fullest = 31 / 32;

/**
 * Finds the first line of an upload with an id, in 8 bytes a line: 44 bits of a hash and the line number. By chance, one in
 * 100,000 files of a million lines has a line wrongly reported as a repeat. Only a warning depends on it. The salt keeps a caller
 * from choosing ids that all fall into one slot.
 */
export function createSeenIds() {
  const salt = randomUUID();
  let slots = new Uint32Array(2 * 1_024);
  let count = 0;
  const grow = (): void => {
    const smaller = slots;
    slots = new Uint32Array(2 * smaller.length);
    for (let at = 0; at < smaller.length; at += 2) {
      const [high = 0, low = 0] = [smaller[at], smaller[at + 1]];
      if (low !== 0) place(slots, high, low);
    }
  };
  return {
    /** Returns undefined when no earlier line had the id. */
    firstLine: (id: string, line: number): number | undefined => {
      if (count >= (slots.length / 2) * fullest) grow();
      const digest = hash('sha1', salt + id, 'buffer');
      const tag = digest.readUInt32LE(4) & ~lineMask;
      const first = place(slots, digest.readUInt32LE(0), (tag | line) >>> 0);
      if (first === undefined) count += 1;
      return first;
    },
  };
}

/** Returns the line stored with the same hash; otherwise stores it in the next free slot. */
function place(slots: Uint32Array, high: number, low: number): number | undefined {
  const last = slots.length / 2 - 1;
  for (let slot = high & last; ; slot = (slot + 1) & last) {
    const found = slots[2 * slot + 1] ?? 0;
    if (found === 0) {
      slots.set([high, low], 2 * slot);
      return undefined;
    }
    if (slots[2 * slot] === high && (found & ~lineMask) === (low & ~lineMask)) return found & lineMask;
  }
}
