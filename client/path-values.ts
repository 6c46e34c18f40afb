import type { FieldProblem } from './generated/types.gen.ts';
import { ItembridgeError } from './itembridge-error.ts';

/**
 * Refuses a value that would change the path: programs leave dot segments out, and without an id the list is meant.
 * Throws {@link ItembridgeError} as the service would, before anything is sent.
 */
export function requirePathValue(name: string, value: unknown): void {
  const problem = problemOf(value);
  if (problem === undefined) return;
  const details = [{ field: name, ...problem, params: {} }];
  throw new ItembridgeError(`${name} ${problem.message}`, { status: 400, code: 'BAD_REQUEST', details });
}

function problemOf(value: unknown): Pick<FieldProblem, 'code' | 'message'> | undefined {
  if (value === undefined || value === null) return { code: 'required', message: 'is required' };
  if (value === '') return { code: 'empty', message: 'must not be empty' };
  if (value === '.' || value === '..')
    return { code: 'dot_segment', message: "must not be . or .., which a path can't hold" };
  return typeof value === 'string' && /\p{Surrogate}/u.test(value)
    ? { code: 'not_text', message: 'must not contain unpaired surrogates' }
    : undefined;
}

/** {@link requirePathValue} for every parameter of a path such as `/items/{external_id}`. */
export function requirePathValues(template: string, values: Readonly<Record<string, unknown>> = {}): void {
  for (const [, name = ''] of template.matchAll(/\{([^{}]+)\}/g)) requirePathValue(name, values[name]);
}
