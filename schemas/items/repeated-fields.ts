import type { RequestWarning } from '../../core/items/item-content.ts';

/** One warning for each name that stands twice in its object; `paths` are those below `prefix`, as readJson tells them. */
export const repeatedFields = (paths: readonly string[], prefix = ''): RequestWarning[] =>
  paths.filter((path) => path.startsWith(prefix)).map((path) => warningOf(path.slice(prefix.length)));

const warningOf = (path: string): RequestWarning =>
  path === ''
    ? { field: 'body', message: 'has a name more than once: the last one counts' }
    : { field: path, message: 'stands there more than once: the last one counts' };
