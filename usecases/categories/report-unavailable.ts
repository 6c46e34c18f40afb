import { AiUnavailable } from '../../gateways/ai/port.ts';
import type { Logger } from '../../platform/logger.ts';

/** One line a failed question, without the text that it was about: the message of an error of unknown kind might hold it. */
export function reportUnavailable(logger: Logger, task: 'classify' | 'improve', error: unknown): void {
  if (error instanceof AiUnavailable) {
    logger.warn({ task, problem: error.problem, reason: error.message }, 'ai.unavailable');
    return;
  }
  logger.warn(
    { task, problem: 'unexpected', errorName: error instanceof Error ? error.name : typeof error },
    'ai.unavailable',
  );
}
