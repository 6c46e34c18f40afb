import { Schema } from 'mongoose';
import {
  allowedVerdict,
  payablePoints,
  refusedVerdict,
  tokenTolerance,
  type RateRule,
  type RateVerdict,
} from '../../core/rate-limits/rate-rule.ts';
import { defineCollection, isDuplicateKey, type StoreConnection } from '../database/connection.ts';

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
  /** Whose call it is: an id or a fingerprint, as it is stored; never an address or an email as it stands. */
  readonly key: string;
  /** More than the capacity counts as the capacity. */
  readonly points: number;
  /** Instead of the database's clock. */
  readonly now?: Date | undefined;
}

/** One call on a bucket that all processes share, in one round trip. What is refused takes nothing. Throws the driver's error. */
export async function takeSharedTokens(store: StoreConnection, rule: RateRule, call: SharedCall): Promise<RateVerdict> {
  const points = payablePoints(rule, call.points);
  const run = () =>
    buckets(store)
      .findOneAndUpdate({ _id: `${rule.name}:${call.key}` }, pipelineOf(rule, { ...call, points }), {
        upsert: true,
        returnDocument: 'after',
        updatePipeline: true,
        // What a failover loses is a few tokens.
        writeConcern: { w: 1, journal: false },
      })
      .lean()
      .orFail();
  const { isAllowed, tokens } = await run().catch((error: unknown) => {
    // Two processes were the first to use it.
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
        // Never back: time between an older call and a newer one that came first would be counted twice.
        at: { $max: ['$at', now] },
        // Later than the bucket is full again: a row that is removed is a full bucket.
        expiresAt: { $add: [time ?? '$$NOW', (capacity / perSecond) * 2_000] },
      },
    },
    { $set: { isAllowed: { $gte: [{ $add: ['$tokens', tokenTolerance] }, points] } } },
    { $set: { tokens: { $max: [0, { $subtract: ['$tokens', { $cond: ['$isAllowed', points, 0] }] }] } } },
  ];
}
