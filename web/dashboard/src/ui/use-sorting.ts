import { useQuery } from '../routing/use-query.ts';

/** By which column a list stands. */
export interface Sorting {
  /** Id of the column; undefined: none of them. */
  readonly by: string | undefined;
  readonly isDescending: boolean;
  /** Sorts by that column; asked again the other way round, then as the list stands by itself. */
  readonly sortBy: (id: string, startsDescending: boolean) => void;
}

/** What sorting needs to know of a column. */
export interface SortedColumn<Row> {
  readonly id: string;
  /** Its heading sorts: `service` by another call, a function the rows that are here, which have to be all of them. */
  readonly sort?: 'service' | ((row: Row) => string | number);
}

/** The order of the page's list, which lives in its address: `?sort=-updated` is by the column `updated`, the greatest first. */
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

/** What the service is asked for: one of `known`, else undefined. */
export function knownSort<Sort extends string>(
  { by, isDescending }: Sorting,
  known: readonly Sort[],
): Sort | undefined {
  return known.find((one) => one === `${isDescending ? '-' : ''}${by ?? ''}`);
}

const words = new Intl.Collator('sv', { numeric: true });

/** The rows in the order of a column that is sorted here; otherwise as they came. */
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
