import { Schema } from 'mongoose';
import { defineCollection, type StoreConnection } from '../../../platform/database/connection.ts';

interface CallWindow {
  /** `ai:minute:2026-11-21T16:06`, `ai:day:2026-11-21` (in UTC), or `vehicle-registry:held`, which lasts until `expiresAt`. */
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
  /** Notes for all processes that the called server takes no call of this name before `until`. */
  hold(name: string, until: Date): Promise<void>;
  /** Seconds until the server takes calls of this name again; 0 when it does now. */
  heldSeconds(name: string): Promise<number>;
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
  const heldId = (name: string): string => `${name}:held`;
  const secondsLeft = (at: Date, windowMs: number): number => Math.ceil((windowMs - (at.getTime() % windowMs)) / 1_000);
  return {
    // The minute is counted first: calls that it refuses must not use up the day.
    async take(name, { callsPerMinute, callsPerDay }) {
      const at = now();
      const time = at.toISOString();
      if ((await count(`${name}:minute:${time.slice(0, 16)}`, at)) > callsPerMinute) return secondsLeft(at, minuteMs);
      return (await count(`${name}:day:${time.slice(0, 10)}`, at)) <= callsPerDay ? 0 : secondsLeft(at, dayMs);
    },
    async hold(name, until) {
      const change = { $max: { expiresAt: until }, $setOnInsert: { calls: 0 } };
      await windows.updateOne({ _id: heldId(name) }, change, { upsert: true });
    },
    async heldSeconds(name) {
      const row = await windows.findOne({ _id: heldId(name) }).lean();
      return row === null ? 0 : Math.max(0, Math.ceil((row.expiresAt.getTime() - now().getTime()) / 1_000));
    },
  };
}

interface CachedAnswer {
  /** Hash of the model and the question. */
  readonly _id: string;
  /** JSON text, because an answer may have keys that the database does not accept. */
  readonly answerJson: string;
  /** The accounts whose text it is a better one of: it goes with the first of them that is erased. */
  readonly askedFor: readonly string[];
  readonly expiresAt: Date;
}

const answerSchema = new Schema(
  { _id: String, answerJson: String, askedFor: [String], expiresAt: Date },
  { versionKey: false },
);
answerSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
const answerModel = defineCollection<CachedAnswer>('ai_answers', answerSchema);

/** Answers of the language model, shared by all accounts: an equal question has an equal answer. */
export function createAiCache(store: StoreConnection, { keptDays, now }: { keptDays: number; now: () => Date }) {
  const answers = answerModel(store);
  return {
    /** undefined when no answer is stored. */
    find: async (key: string): Promise<unknown> => {
      const row = await answers.findOne({ _id: key, expiresAt: { $gt: now() } }).lean();
      if (row === null) return undefined;
      const answer: unknown = JSON.parse(row.answerJson);
      return answer;
    },
    store: async (key: string, answer: unknown, askedFor?: string): Promise<void> => {
      const expiresAt = new Date(now().getTime() + keptDays * dayMs);
      await answers.updateOne(
        { _id: key },
        {
          $set: { answerJson: JSON.stringify(answer), expiresAt },
          ...(askedFor !== undefined && { $addToSet: { askedFor } }),
        },
        { upsert: true },
      );
    },
  };
}
