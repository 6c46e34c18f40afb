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
}

interface EpochRow extends FeedEpoch {
  readonly _id: 'feeds';
  readonly restoredTo: Date;
  readonly restores: number;
  readonly drawnAt: Date;
}

const epochs = defineRows<EpochRow>('feed_epochs', new Schema());

/** A majority read. */
export async function readFeedEpoch(store: StoreConnection): Promise<FeedEpoch> {
  const row = await epochs(store).findOne({ _id: 'feeds' });
  return row ?? { epoch: '', restoredTo: null, doneAt: null };
}

/** Begins another epoch: from now on every older cursor is refused. */
export async function drawFeedEpoch(
  store: StoreConnection,
  { restoredTo, now }: { readonly restoredTo: Date; readonly now: Date },
): Promise<void> {
  const drawn = { epoch: randomBytes(6).toString('base64url'), restoredTo, drawnAt: now, doneAt: null };
  await epochs(store).updateOne({ _id: 'feeds' }, { $set: drawn, $inc: { restores: 1 } }, { upsert: true });
}

/** More than any row is written in the time that a restore loses. */
export const raiseOfRestore = 1_000_000;

const firstSequences = new WeakMap<StoreConnection, number>();

/**
 * The `sequence` behind which events of new items begin: above those of items that restores have forgotten. Read once, because no
 * process lives through a restore.
 */
export async function firstSequence(store: StoreConnection): Promise<number> {
  const known = firstSequences.get(store);
  if (known !== undefined) return known;
  const first = ((await epochs(store).findOne({ _id: 'feeds' }))?.restores ?? 0) * raiseOfRestore;
  firstSequences.set(store, first);
  return first;
}

/** All that the restore of this epoch asks for is done. */
export async function closeRestore(store: StoreConnection, doneAt: Date): Promise<void> {
  await epochs(store).updateOne({ _id: 'feeds' }, { $set: { doneAt } });
}
