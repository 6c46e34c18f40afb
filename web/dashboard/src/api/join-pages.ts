export interface PageOfRows<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

/** What of a list is there so far. */
export interface HeldRows<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
  /** How many pages that is. */
  readonly pageCount: number;
}

type IdOf<Row> = (row: Row) => string;

/** The next page goes on after the rows that are there; a row that comes again stands where it came last. */
export function joinPages<Row>(held: HeldRows<Row>, page: PageOfRows<Row>, idOf: IdOf<Row>): HeldRows<Row> {
  const fresh = new Set(page.rows.map(idOf));
  const others = held.rows.filter((row) => !fresh.has(idOf(row)));
  return { rows: [...others, ...page.rows], nextCursor: page.nextCursor, pageCount: held.pageCount + 1 };
}

/** So many are read again at most; what was shown after them can be asked for anew. */
export const pagesAgainMax = 20;

interface LoadOptions<Row> {
  /** As many as are shown; at least one is read. */
  readonly pageCount: number;
  readonly idOf: IdOf<Row>;
}

/** A list from its beginning, as far as it was shown: what went is gone, what came in between is there, and all of it as it is now. */
export async function loadFromStart<Row>(
  load: (cursor: string | undefined) => Promise<PageOfRows<Row>>,
  { pageCount, idOf }: LoadOptions<Row>,
): Promise<HeldRows<Row>> {
  const wanted = Math.min(pageCount, pagesAgainMax);
  let held: HeldRows<Row> = { ...(await load(undefined)), pageCount: 1 };
  while (held.pageCount < wanted && held.nextCursor !== null) held = joinPages(held, await load(held.nextCursor), idOf);
  return held;
}
