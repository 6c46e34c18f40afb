import { randomBytes } from 'node:crypto';
import { Schema } from 'mongoose';
import { defineRows, type StoreConnection } from '../../../platform/database/connection.ts';

/**
 * Which run of numbers the feeds are in. A database that was restored to an earlier moment gives the numbers after that moment a
 * second time, so a cursor of another epoch names no place in the present feeds.
 */
export interface FeedEpoch {
  /** In every cursor; '' before the first restore. */
  readonly epoch: string;
  /** The moment to which the database was restored; null before the first restore. */
  readonly restoredTo: Date | null;
  /** When all that a restore asks for was done; null while it is not. */
  readonly doneAt: Date | null;
  /** When the epoch began. */
  readonly drawnAt: Date | null;
}

/** v0.9 wrote none of `doneAt`. */
interface EpochRow extends Omit<FeedEpoch, 'doneAt'> {
  readonly _id: 'feeds';
  readonly restoredTo: Date;
  readonly drawnAt: Date;
  readonly doneAt?: Date | null;
}

const epochs = defineRows<EpochRow>('feed_epochs', new Schema());

/** A majority read. */
export async function readFeedEpoch(store: StoreConnection): Promise<FeedEpoch> {
  const row = await epochs(store).findOne({ _id: 'feeds' });
  return row === null
    ? { epoch: '', restoredTo: null, doneAt: null, drawnAt: null }
    : { ...row, doneAt: row.doneAt ?? null };
}

/** Begins another epoch: from now on every older cursor is refused. */
export async function drawFeedEpoch(
  store: StoreConnection,
  { restoredTo, now }: { readonly restoredTo: Date; readonly now: Date },
): Promise<void> {
  const drawn = { epoch: randomBytes(6).toString('base64url'), restoredTo, drawnAt: now, doneAt: null };
  await epochs(store).updateOne({ _id: 'feeds' }, { $set: drawn }, { upsert: true });
}

const countsFrom = Date.UTC(2025, 0, 1);

/**
 * A number above all that were given out before: no row is written once a second for years. It comes from the time, which no restore
 * sets back, so a backup that is restored twice begins higher the second time.
 */
export const numberAt = (drawnAt: Date): number => Math.floor((drawnAt.getTime() - countsFrom) / 1_000);

const firstSequences = new WeakMap<StoreConnection, number>();

/**
 * The `sequence` behind which events of new items begin: above those of items that restores have forgotten. Read once, because no
 * process lives through a restore.
 */
export async function firstSequence(store: StoreConnection): Promise<number> {
  const known = firstSequences.get(store);
  if (known !== undefined) return known;
  const { drawnAt } = await readFeedEpoch(store);
  const first = drawnAt === null ? 0 : numberAt(drawnAt);
  firstSequences.set(store, first);
  return first;
}

/** All that the restore of this epoch asks for is done. */
export async function closeRestore(store: StoreConnection, doneAt: Date): Promise<void> {
  await epochs(store).updateOne({ _id: 'feeds' }, { $set: { doneAt } });
}
