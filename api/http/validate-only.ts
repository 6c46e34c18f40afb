import { Refusal } from '../../core/errors.ts';
import type { Call } from './route.ts';

/** `?validateOnly=true`: all checks, no effect. Another value is refused, because it may have been meant so. */
export function readValidateOnly({ query }: Call): boolean {
  const value = query['validateOnly'] ?? 'false';
  if (value === 'true' || value === 'false') return value === 'true';
  const message = 'must be true or false';
  throw new Refusal('BAD_REQUEST', `validateOnly ${message}`, { details: [{ field: 'validateOnly', message }] });
}
