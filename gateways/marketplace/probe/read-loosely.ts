import { listIn } from '../wire-kit.ts';

/** The field of an object; undefined where there is no object or no such field. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** The same at a path, such as `status.ended`. */
export const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce((found: unknown, name) => fieldOf(found, name), value);

/** The rows of a list, bare or in a wrapper; none where there is no list. */
export function rowsOf(body: unknown): readonly unknown[] {
  try {
    return listIn(body);
  } catch {
    return [];
  }
}

/** Numbers in that field of the rows. */
export const numbersOf = (rows: readonly unknown[], name: string): readonly number[] =>
  rows.map((row) => fieldOf(row, name)).filter((value) => typeof value === 'number');
