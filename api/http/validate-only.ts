import { oneOf, readQuery } from '../../schemas/query.ts';
import type { Call } from './route.ts';

const readers = { validateOnly: oneOf(['true', 'false']) };

/**
 * `?validateOnly=true`: all checks, no effect. It is the only parameter of a write: another value or another spelling of the
 * name is refused, because it may have been meant so. Throws Refusal BAD_REQUEST.
 */
export const readValidateOnly = ({ query }: Call): boolean => readQuery(query, readers).validateOnly === 'true';
