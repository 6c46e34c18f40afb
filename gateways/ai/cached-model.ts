import { createHash } from 'node:crypto';
import type { LanguageModel, Question } from './language-model.ts';

/** Stores answers by key for a limited time. */
export interface AnswerCache {
  find(key: string): Promise<unknown>;
  store(key: string, answer: unknown): Promise<void>;
}

/** The model behind a cache: the same question to the same model is paid for once. Only answers that were usable are kept. */
export function withCache(model: LanguageModel, cache: AnswerCache, modelName: string): LanguageModel {
  return {
    async ask(question) {
      const key = keyOf(question, modelName);
      const known = await cache.find(key);
      if (known !== undefined) return question.read(known);
      const answer = await model.ask(question);
      await cache.store(key, answer);
      return answer;
    },
  };
}

/** SHA-256 of all inputs of the answer, so that changed instructions never get an old answer. */
function keyOf({ task, instructions, data, schema }: Question<unknown>, modelName: string): string {
  const input = JSON.stringify([modelName, task, instructions, data, schema]);
  return createHash('sha256').update(input, 'utf8').digest('hex');
}
