import { Schema } from 'mongoose';
import { defineCollection, type StoreConnection } from './connection.ts';

interface BudgetWindow {
  /** `minute:2026-11-21T16:06` or `day:2026-11-21`, in UTC. */
  readonly _id: string;
  readonly calls: number;
  readonly expiresAt: Date;
}

const schema = new Schema({ _id: String, calls: Number, expiresAt: Date }, { versionKey: false });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
const model = defineCollection<BudgetWindow>('ai_budget', schema);

const dayMs = 24 * 3_600_000;

export interface AiBudgetOptions {
  readonly callsPerMinute: number;
  readonly callsPerDay: number;
  readonly now: () => Date;
}

export interface AiBudget {
  /** Takes one call; false when none is left in this minute or day. */
  take(): Promise<boolean>;
}

/** The calls of the language model over all processes and accounts, by the minute and the day of UTC. */
export function createAiBudget(store: StoreConnection, options: AiBudgetOptions): AiBudget {
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
  return {
    // The minute first: calls that it refuses must not use up the day.
    async take() {
      const at = options.now();
      const time = at.toISOString();
      if ((await count(`minute:${time.slice(0, 16)}`, at)) > options.callsPerMinute) return false;
      return (await count(`day:${time.slice(0, 10)}`, at)) <= options.callsPerDay;
    },
  };
}
