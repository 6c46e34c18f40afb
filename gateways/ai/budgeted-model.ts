import type { LanguageModel } from './language-model.ts';
import { AiUnavailable } from './port.ts';

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
