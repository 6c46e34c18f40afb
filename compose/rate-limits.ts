import { createCallerLimits, type CallerLimits } from '../usecases/rate-limits/create-caller-limits.ts';
import type { Foundation } from './foundation.ts';

/** The limits of callers, shared by all API processes; null where they are switched off. */
export function composeRateLimits({
  config,
  logger,
  store,
}: Pick<Foundation, 'config' | 'logger' | 'store'>): CallerLimits | null {
  if (config.rateLimits === null) return null;
  return createCallerLimits(store, config.rateLimits, {
    onTrouble: (error) => {
      logger.warn({ err: error }, 'rate_limits.unshared');
    },
  });
}
