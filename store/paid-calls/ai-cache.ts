import { Schema } from 'mongoose';
import { defineCollection, type StoreConnection } from '../database/connection.ts';

interface CachedAnswer {
  /** Hash of the model and the question. */
  readonly _id: string;
  /** JSON text, because an answer may have keys that the database does not accept. */
  readonly answerJson: string;
  readonly expiresAt: Date;
}

const dayMs = 24 * 3_600_000;

const schema = new Schema({ _id: String, answerJson: String, expiresAt: Date }, { versionKey: false });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
const model = defineCollection<CachedAnswer>('ai_answers', schema);

export interface AiCache {
  /** undefined when no answer is stored. */
  find(key: string): Promise<unknown>;
  store(key: string, answer: unknown): Promise<void>;
}

/** Answers of the language model, shared by all accounts: an equal question has an equal answer. */
export function createAiCache(
  store: StoreConnection,
  { keptDays, now }: { keptDays: number; now: () => Date },
): AiCache {
  const answers = model(store);
  return {
    find: async (key) => {
      const row = await answers.findOne({ _id: key, expiresAt: { $gt: now() } }).lean();
      if (row === null) return undefined;
      const answer: unknown = JSON.parse(row.answerJson);
      return answer;
    },
    store: async (key, answer) => {
      const expiresAt = new Date(now().getTime() + keptDays * dayMs);
      await answers.updateOne(
        { _id: key },
        { $set: { answerJson: JSON.stringify(answer), expiresAt } },
        { upsert: true },
      );
    },
  };
}
