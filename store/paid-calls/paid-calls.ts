import { Schema } from 'mongoose';
import { defineCollection, type StoreConnection } from '../database/connection.ts';

interface CallWindow {
  /** `ai:minute:2026-11-21T16:06` or `ai:day:2026-11-21`, in UTC. */
  readonly _id: string;
  readonly calls: number;
  readonly expiresAt: Date;
}

const schema = new Schema({ _id: String, calls: Number, expiresAt: Date }, { versionKey: false });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
const model = defineCollection<CallWindow>('paid_calls', schema);

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

export interface CallLimits {
  readonly callsPerMinute: number;
  readonly callsPerDay: number;
}

export interface PaidCalls {
  /** Takes one call of this name. Returns 0 when it may be made, else the seconds until the used-up minute or day ends. */
  take(name: string, limits: CallLimits): Promise<number>;
}

/** Limits of calls that cost money, per UTC minute and UTC day, over all processes. */
export function createPaidCalls(store: StoreConnection, now: () => Date): PaidCalls {
  const windows = model(store);
  const count = async (id: string, at: Date): Promise<number> => {
    const row = await windows
      .findOneAndUpdate(
        { _id: id },
        { $inc: { calls: 1 }, $setOnInsert: { expiresAt: new Date(at.getTime() + 2 * dayMs) } },
        { upsert: true, returnDocument: 'after' },
      )
      .lean();
    return row.calls;
  };
  const secondsLeft = (at: Date, windowMs: number): number => Math.ceil((windowMs - (at.getTime() % windowMs)) / 1_000);
  return {
    // The minute is counted first: calls that it refuses must not use up the day.
    async take(name, { callsPerMinute, callsPerDay }) {
      const at = now();
      const time = at.toISOString();
      if ((await count(`${name}:minute:${time.slice(0, 16)}`, at)) > callsPerMinute) return secondsLeft(at, minuteMs);
      return (await count(`${name}:day:${time.slice(0, 10)}`, at)) <= callsPerDay ? 0 : secondsLeft(at, dayMs);
    },
  };
}
