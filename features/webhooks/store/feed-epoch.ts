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
}

interface EpochRow {
  readonly _id: 'feeds';
  readonly epoch: string;
  readonly restoredTo: Date;
  readonly drawnAt: Date;
}

const epochs = defineRows<EpochRow>('feed_epochs', new Schema());

/** A majority read. */
export async function readFeedEpoch(store: StoreConnection): Promise<FeedEpoch> {
  const row = await epochs(store).findOne({ _id: 'feeds' });
  return { epoch: row?.epoch ?? '', restoredTo: row?.restoredTo ?? null };
}

/** Begins another epoch: from now on every older cursor is refused. */
export async function drawFeedEpoch(
  store: StoreConnection,
  { restoredTo, now }: { readonly restoredTo: Date; readonly now: Date },
): Promise<void> {
  const drawn = { epoch: randomBytes(6).toString('base64url'), restoredTo, drawnAt: now };
  await epochs(store).updateOne({ _id: 'feeds' }, { $set: drawn }, { upsert: true });
}
