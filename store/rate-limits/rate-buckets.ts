import { Schema } from 'mongoose';
import { tokenTolerance, type RateRule } from '../../core/rate-limits/rate-rule.ts';
import { defineCollection, isDuplicateKey, type StoreConnection } from '../database/connection.ts';

/**
 * A token bucket that processes take shares of. At any time `level` and what the processes hold unspent (`held`) are
 * together at most the capacity, so that no mixture of them lets more through than one bucket would.
 * Shares end with their window; then nothing is held by anybody, and what a dead process had is forgotten.
 */
interface BucketRow {
  /** `<rule>:<key>` */
  readonly _id: string;
  readonly level: number;
  readonly held: number;
  /** Number of the window of `held`. */
  readonly window: number;
  /** Time of `level`, in ms of the database's clock. */
  readonly at: number;
  /** What the last request got. */
  readonly granted: number;
  readonly expiresAt: Date;
}

const schema = new Schema(
  { _id: String, level: Number, held: Number, window: Number, at: Number, granted: Number, expiresAt: Date },
  { versionKey: false },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
const buckets = defineCollection<BucketRow>('rate_buckets', schema);

export interface ShareRequest {
  readonly key: string;
  /** Tokens for calls that wait: those are spent as soon as they are granted. */
  readonly needed: number;
  /** Points of each waiting call: tokens that pay for no whole call are not taken. */
  readonly unit: number;
  /** Tokens wanted besides, to be spent before the window ends. */
  readonly extra: number;
  /** Tokens that were spent of the share since the request before, and the window in which it was granted. */
  readonly spent: number;
  readonly window: number;
  /** Instead of the database's clock. */
  readonly now?: Date | undefined;
}

export interface Share {
  readonly granted: number;
  /** What is left for everybody. */
  readonly level: number;
  readonly window: number;
  /** Until the window ends, counted from when the database answered. */
  readonly endsInMs: number;
}

/** Shares end with it. */
export const windowMs = 10_000;
/** Much longer than a bucket needs to be full again, or a removed one would be a present. */
const keptMs = 3_600_000;

/**
 * Takes a share in one round trip. All times are the database's, so that the clocks of the processes don't matter.
 * Acknowledged by the primary alone, and not repeatable: what is lost by a failover is a few tokens, and for a repeatable
 * one the server would write twice. Throws the driver's error.
 */
export async function takeShare(store: StoreConnection, rule: RateRule, request: ShareRequest): Promise<Share> {
  const command = {
    findAndModify: buckets(store).collection.collectionName,
    query: { _id: `${rule.name}:${request.key}` },
    update: pipelineOf(rule, request),
    new: true,
    upsert: true,
    fields: { _id: 0, level: 1, granted: 1, window: 1, at: 1 },
    writeConcern: { w: 1, j: false },
  };
  const run = (): Promise<{ value?: BucketRow }> => databaseOf(store).command(command);
  const { value } = await run().catch((error: unknown) => {
    // Two processes were the first to use it.
    if (isDuplicateKey(error)) return run();
    throw error;
  });
  if (value === undefined) throw new Error('the database gave no bucket back');
  const { granted, level, window, at } = value;
  return { granted, level, window, endsInMs: (window + 1) * windowMs - at };
}

function databaseOf({ connection }: StoreConnection) {
  if (connection.db === undefined) throw new Error('the store is not connected');
  return connection.db;
}

function pipelineOf({ capacity, perSecond }: RateRule, request: ShareRequest): object[] {
  const { needed, unit, extra, spent, window, now: time = '$$NOW' } = request;
  const now = { $toLong: time };
  const thisWindow = { $floor: { $divide: [now, windowMs] } };
  const passedMs = { $max: [0, { $subtract: [now, { $ifNull: ['$at', now] }] }] };
  const expiry = { $add: [time, keptMs + (capacity / perSecond) * 2_000] };
  const isSoon = {
    $lt: [{ $ifNull: ['$expiresAt', 0] }, { $add: [time, keptMs / 2 + (capacity / perSecond) * 1_000] }],
  };
  const taken = { $floor: { $add: ['$level', tokenTolerance] } };
  const calls = { $floor: { $divide: [{ $add: ['$level', tokenTolerance] }, unit] } };
  return [
    {
      $set: {
        level: { $add: [{ $ifNull: ['$level', capacity] }, { $multiply: [passedMs, perSecond / 1000] }] },
        held: { $cond: [{ $eq: ['$window', thisWindow] }, '$held', 0] },
        window: thisWindow,
        // Never back: time between an older request and a newer one that came first would be counted twice.
        at: { $max: ['$at', now] },
        // Not each time: the index is written only when it changes.
        expiresAt: { $cond: [isSoon, expiry, '$expiresAt'] },
      },
    },
    {
      $set: {
        // Before what was spent is taken off: nobody knows since when it is.
        level: { $min: ['$level', { $subtract: [capacity, '$held'] }] },
        held: { $max: [0, { $subtract: ['$held', { $cond: [{ $eq: ['$window', window] }, spent, 0] }] }] },
      },
    },
    {
      $set: {
        granted: {
          $max: [
            0,
            { $cond: [{ $gte: [taken, needed] }, { $min: [taken, needed + extra] }, { $multiply: [unit, calls] }] },
          ],
        },
      },
    },
    {
      $set: {
        level: { $subtract: ['$level', '$granted'] },
        held: { $add: ['$held', { $max: [0, { $subtract: ['$granted', needed] }] }] },
      },
    },
  ];
}
