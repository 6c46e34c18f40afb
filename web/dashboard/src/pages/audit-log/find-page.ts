interface LogPage<Entry> {
  readonly entries: readonly Entry[];
  readonly nextCursor: string | null;
}

interface FoundPage<Entry> {
  readonly rows: readonly Entry[];
  readonly nextCursor: string | null;
}

/** With rare filters the service answers empty pages that have a next one; so many are read at most before the person is asked. */
const pagesMax = 8;

/** Reads on until a page has entries, or there is nothing older. */
export async function findPage<Entry>(
  read: (cursor: string | undefined) => Promise<LogPage<Entry>>,
  first: string | undefined,
): Promise<FoundPage<Entry>> {
  let page = await read(first);
  for (let count = 1; count < pagesMax && page.entries.length === 0 && page.nextCursor !== null; count += 1)
    page = await read(page.nextCursor);
  return { rows: page.entries, nextCursor: page.nextCursor };
}
