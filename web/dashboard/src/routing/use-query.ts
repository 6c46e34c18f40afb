import { useCallback, useMemo } from 'preact/hooks';
import { currentPlace, navigate, useDrawnPlace } from './location.ts';

export type Query = Readonly<Record<string, string>>;
/** undefined or '' removes the parameter; parameters that are not named stay. */
export type QueryChange = Readonly<Record<string, string | undefined>>;

/**
 * The parameters of the address, and a function to change some of them. Filters are kept here, so that a link shows the
 * same list.
 */
export function useQuery(): readonly [Query, (change: QueryChange) => void] {
  const { path, search } = useDrawnPlace();
  const query = useMemo(() => Object.fromEntries(new URLSearchParams(search)), [search]);
  const change = useCallback(
    (wanted: QueryChange): void => {
      // A late change of a page that the person has left must not affect the next one.
      if (currentPlace().path === path) changeQuery(wanted);
    },
    [path],
  );
  return [query, change];
}

function changeQuery(change: QueryChange): void {
  const { path, search } = currentPlace();
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(change))
    if (value === undefined || value === '') params.delete(name);
    else params.set(name, value);
  const text = params.toString();
  navigate(text === '' ? path : `${path}?${text}`, { isReplacement: true });
}
