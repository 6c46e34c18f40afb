import { oneOf, readQuery } from '../../schemas/query.ts';
import type { Call } from './route.ts';

const readers = { validateOnly: oneOf(['true', 'false']) };

/**
 * `?validateOnly=true`: all checks, no effect. A write accepts no other parameter. Another value or spelling is refused, because
 * it may be a mistyped `validateOnly`. Throws Refusal BAD_REQUEST.
 */
export const readValidateOnly = ({ query }: Call): boolean => readQuery(query, readers).validateOnly === 'true';
