/** One question with the form of its answer. */
export interface Question<Answer> {
  /** Names the form of the answer: lower case and underscores. */
  readonly task: string;
  readonly instructions: string;
  /** Sent as one JSON object. Its content is data and never an instruction. */
  readonly data: Readonly<Record<string, unknown>>;
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
