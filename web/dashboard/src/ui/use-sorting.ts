import { useQuery } from '../routing/use-query.ts';

/** The order of a list by a column. */
export interface Sorting {
  /** Id of the column; undefined: the list's own order. */
  readonly by: string | undefined;
  readonly isDescending: boolean;
  /** Sorts by the column; a second call reverses the order, a third restores the list's own. */
  readonly sortBy: (id: string, startsDescending: boolean) => void;
}

/** What sorting needs to know of a column. */
export interface SortedColumn<Row> {
  readonly id: string;
  /** Makes the heading sort. `service`: by another call; a function: the loaded rows, which must be all of them. */
  readonly sort?: 'service' | ((row: Row) => string | number);
}

/**
 * The order of the page's list, kept in its address: `?sort=-updated` sorts by the column `updated` in descending
 * order.
 */
export function useSorting(standard?: string): Sorting {
  const [{ sort = standard ?? '' }, setQuery] = useQuery();
  const isDescending = sort.startsWith('-');
  const by = sort === '' ? undefined : sort.replace(/^-/, '');
  return {
    by,
    isDescending,
    sortBy: (id, startsDescending) => {
      const ways = startsDescending ? [`-${id}`, id] : [id, `-${id}`];
      setQuery({ sort: ways[ways.indexOf(sort) + 1] });
    },
  };
}

/** The order to request from the service: one of `known`, else undefined. */
export function knownSort<Sort extends string>(
  { by, isDescending }: Sorting,
  known: readonly Sort[],
): Sort | undefined {
  return known.find((one) => one === `${isDescending ? '-' : ''}${by ?? ''}`);
}

/** What lists by creation can be asked for. */
export const createdSorts = ['-created', 'created'] as const;
export type CreatedSort = (typeof createdSorts)[number];

/** For the `query` of a call. */
export const sortOf = <Sort extends string>(sort: Sort | undefined): { sort?: Sort } =>
  sort === undefined ? {} : { sort };

const words = new Intl.Collator('sv', { numeric: true });

/** The rows in the order of a column that is sorted here; otherwise unchanged. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly SortedColumn<Row>[],
  sorting: Pick<Sorting, 'by' | 'isDescending'> | undefined,
): readonly Row[] {
  const valueOf = columns.find(({ id }) => id === sorting?.by)?.sort;
  if (sorting === undefined || typeof valueOf !== 'function') return rows;
  const sorted = [...rows].sort((a, b) => compare(valueOf(a), valueOf(b)));
  return sorting.isDescending ? sorted.reverse() : sorted;
}

const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : words.compare(String(a), String(b));
