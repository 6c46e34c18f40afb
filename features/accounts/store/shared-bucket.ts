import { Schema } from 'mongoose';
import {
  allowedVerdict,
  payablePoints,
  refusedVerdict,
  tokenTolerance,
  type RateRule,
  type RateVerdict,
} from '../rules/token-bucket.ts';
import { defineCollection, isDuplicateKey, type StoreConnection } from '../../../platform/database/connection.ts';

/** A token bucket that all processes take from. Times are in ms of the database's clock. */
interface BucketRow {
  /** `<rule>:<key>` */
  readonly _id: string;
  /** Tokens at the time `at`. */
  readonly tokens: number;
  readonly at: number;
  /** Whether the last call was allowed. */
  readonly isAllowed: boolean;
  readonly expiresAt: Date;
}

const schema = new Schema(
  { _id: String, tokens: Number, at: Number, isAllowed: Boolean, expiresAt: Date },
  { versionKey: false },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
const buckets = defineCollection<BucketRow>('rate_buckets', schema);

export interface SharedCall {
  /** Identifies the caller. It is stored, so it must be an id or a fingerprint, never a plain address or email. */
  readonly key: string;
  /** A value above the capacity counts as the capacity. */
  readonly points: number;
  /** Replaces the database's clock. */
  readonly now?: Date | undefined;
}

/** Charges one call to a shared bucket, in one round trip. A refused call takes no tokens. Throws the driver's error. */
export async function takeSharedTokens(store: StoreConnection, rule: RateRule, call: SharedCall): Promise<RateVerdict> {
  const points = payablePoints(rule, call.points);
  const run = () =>
    buckets(store)
      .findOneAndUpdate({ _id: `${rule.name}:${call.key}` }, pipelineOf(rule, { ...call, points }), {
        upsert: true,
        returnDocument: 'after',
        updatePipeline: true,
        // No majority is needed: a failover forgets only the last calls, which gives a few tokens back.
        writeConcern: { w: 1, journal: false },
      })
      .lean()
      .orFail();
  const { isAllowed, tokens } = await run().catch((error: unknown) => {
    // Two processes inserted the bucket at the same time.
    if (isDuplicateKey(error)) return run();
    throw error;
  });
  return isAllowed ? allowedVerdict(rule, tokens) : refusedVerdict(rule, tokens, points);
}

function pipelineOf({ capacity, perSecond }: RateRule, { points, now: time }: SharedCall): object[] {
  const now = { $toLong: time ?? '$$NOW' };
  const passedMs = { $max: [0, { $subtract: [now, { $ifNull: ['$at', now] }] }] };
  const refilled = { $add: [{ $ifNull: ['$tokens', capacity] }, { $multiply: [passedMs, perSecond / 1000] }] };
  return [
    {
      $set: {
        tokens: { $min: [capacity, refilled] },
        // The time never goes back: the time between two calls in the wrong order would be counted twice.
        at: { $max: ['$at', now] },
        // A removed row counts as a full bucket, so the row must stay until the bucket is full again.
        expiresAt: { $add: [time ?? '$$NOW', (capacity / perSecond) * 2_000] },
      },
    },
    { $set: { isAllowed: { $gte: [{ $add: ['$tokens', tokenTolerance] }, points] } } },
    { $set: { tokens: { $max: [0, { $subtract: ['$tokens', { $cond: ['$isAllowed', points, 0] }] }] } } },
  ];
}
