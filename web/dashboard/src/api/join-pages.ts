export interface PageOfRows<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

/** The loaded part of a list. */
export interface HeldRows<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
  /** The number of loaded pages. */
  readonly pageCount: number;
}

type IdOf<Row> = (row: Row) => string;

/** Appends a page. A row that appears twice keeps its newer position. */
export function joinPages<Row>(held: HeldRows<Row>, page: PageOfRows<Row>, idOf: IdOf<Row>): HeldRows<Row> {
  const fresh = new Set(page.rows.map(idOf));
  const others = held.rows.filter((row) => !fresh.has(idOf(row)));
  return { rows: [...others, ...page.rows], nextCursor: page.nextCursor, pageCount: held.pageCount + 1 };
}

/** Most pages that are read again; further ones can be requested anew. */
export const pagesAgainMax = 20;

interface LoadOptions<Row> {
  /** The number of shown pages; at least one is read. */
  readonly pageCount: number;
  readonly idOf: IdOf<Row>;
}

/** Reads a list again from its beginning, as far as it was shown, so that it matches the service in every row. */
export async function loadFromStart<Row>(
  load: (cursor: string | undefined) => Promise<PageOfRows<Row>>,
  { pageCount, idOf }: LoadOptions<Row>,
): Promise<HeldRows<Row>> {
  const wanted = Math.min(pageCount, pagesAgainMax);
  let held: HeldRows<Row> = { ...(await load(undefined)), pageCount: 1 };
  while (held.pageCount < wanted && held.nextCursor !== null) held = joinPages(held, await load(held.nextCursor), idOf);
  return held;
}
