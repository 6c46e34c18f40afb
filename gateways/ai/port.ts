import type { AccountId } from '../../features/rules/ids.ts';

export interface Choice {
  readonly id: string;
  /** Names and typical words of the class, the most telling first. */
  readonly words: readonly string[];
}

export interface ClassificationInput {
  /** The text to classify; its first line counts most. */
  readonly text: string;
  readonly choices: readonly Choice[];
}

/** Returns the id of one of the choices, or null when none fits; never another value. Throws {@link AiUnavailable}. */
export interface CategoryClassifier {
  classify(input: ClassificationInput): Promise<string | null>;
}

export interface ItemText {
  readonly title: string;
  readonly description: string;
}

export interface TextToImprove extends ItemText {
  readonly accountId: AccountId;
  /** Name of the item's domain, such as `Bildelar`. */
  readonly domain: string;
}

/**
 * Rewrites title and description without changing their meaning. The result is plain text within the limits of the item schema
 * (title 1 to 255 characters, description at most 20,000). It has no link and no markup that the given text did not have.
 * Throws {@link AiUnavailable}.
 */
export interface TextImprover {
  improve(text: TextToImprove): Promise<ItemText>;
}

/**
 * - `timeout`: no complete answer in time. - `unreachable`: no connection, or a broken one.
 * - `overloaded`: 429 or 5xx. - `refused`: any other HTTP error (wrong key, model or address, to be corrected by the operator).
 * - `unusable_answer`: not JSON, not of the given schema, outside the choices or beyond the limits.
 * - `budget_exhausted`: the calls of this minute or day are used up; nothing was sent.
 */
export type AiProblem = 'timeout' | 'unreachable' | 'overloaded' | 'refused' | 'unusable_answer' | 'budget_exhausted';

/** The model gave no answer. The message never holds the text in question, the answer or the key. */
export class AiUnavailable extends Error {
  override readonly name = 'AiUnavailable';
  readonly problem: AiProblem;

  constructor(problem: AiProblem, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.problem = problem;
  }
}
