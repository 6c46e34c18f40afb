import { createHash } from 'node:crypto';
import type { AccountId } from '../../features/rules/ids.ts';
import { AiUnavailable } from './port.ts';

/** One question with the form of its answer. */
export interface Question<Answer> {
  /** Names the form of the answer: lower case and underscores. */
  readonly task: string;
  readonly instructions: string;
  /** Sent as one JSON object. Its content is data and never an instruction. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The account whose text the answer repeats, so that a stored answer can go with it; no part of the question. */
  readonly askedFor?: AccountId;
  /** JSON schema, in the subset that strict answers allow: every property required, no limits of length. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Checks and returns the answer; also accepts its own result. Throws AiUnavailable `unusable_answer`. */
  readonly read: (answer: unknown) => Answer;
}

/** A language model that answers in a given form. The adapters of port.ts use it; decorators add cache and budget. */
export interface LanguageModel {
  /** Throws AiUnavailable. */
  ask<Answer>(question: Question<Answer>): Promise<Answer>;
}

/** A limited number of calls, counted over all processes. */
export interface CallBudget {
  /** Takes one call; false when none is left in this minute or day. */
  take(): Promise<boolean>;
}

/** The model behind a budget: without a call left nothing is sent. */
export function withBudget(model: LanguageModel, budget: CallBudget): LanguageModel {
  return {
    async ask(question) {
      if (!(await budget.take())) throw new AiUnavailable('budget_exhausted', 'no calls of the model are left for now');
      return model.ask(question);
    },
  };
}

/** Stores answers by key for a limited time. */
export interface AnswerCache {
  find(key: string): Promise<unknown>;
  store(key: string, answer: unknown, askedFor?: AccountId): Promise<void>;
}

/** The model behind a cache: the same question to the same model is paid for once. Only answers that were usable are kept. */
export function withCache(model: LanguageModel, cache: AnswerCache, modelName: string): LanguageModel {
  return {
    async ask(question) {
      const key = keyOf(question, modelName);
      const known = await cache.find(key);
      if (known !== undefined) return question.read(known);
      const answer = await model.ask(question);
      await cache.store(key, answer, question.askedFor);
      return answer;
    },
  };
}

/** SHA-256 of all inputs of the answer, so that changed instructions never get an old answer. */
function keyOf({ task, instructions, data, schema }: Question<unknown>, modelName: string): string {
  const input = JSON.stringify([modelName, task, instructions, data, schema]);
  return createHash('sha256').update(input, 'utf8').digest('hex');
}
