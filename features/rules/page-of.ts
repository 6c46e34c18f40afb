/**
 * What a page shows of rows of which one more than its limit was read, to tell whether there are more. `last`: the last one shown,
 * behind which the next page begins; undefined when there is none.
 */
export function pageOf<Row>(
  found: readonly Row[],
  limit: number,
): { readonly shown: Row[]; readonly last: Row | undefined } {
  const shown = found.slice(0, limit);
  return { shown, last: found.length > limit ? shown.at(-1) : undefined };
}
