/** One thing to ask, with the form of its answer. */
export interface Question<Answer> {
  /** Names the form of the answer: lower case and underscores. */
  readonly task: string;
  readonly instructions: string;
  /** Sent as one JSON object. Whatever stands in it is data and never an instruction. */
  readonly data: Readonly<Record<string, unknown>>;
  /** JSON schema, in the subset that strict answers allow: every property required, no limits of length. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** The answer, checked; takes its own result again. Throws AiUnavailable `unusable_answer`. */
  readonly read: (answer: unknown) => Answer;
}

/** A language model that answers in a given form. The adapters of port.ts stand on it; decorators add cache and budget. */
export interface LanguageModel {
  /** Throws AiUnavailable. */
  ask<Answer>(question: Question<Answer>): Promise<Answer>;
}
