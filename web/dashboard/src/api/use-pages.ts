import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keepPageCount, keptPlace } from '../routing/kept-place.ts';
import { joinPages, loadFromStart, type HeldRows, type PageOfRows } from './join-pages.ts';
import { lookAfterErrorMs, usePolling } from './use-polling.ts';

export interface Pages<Row> {
  /** undefined until the first page is loaded. */
  readonly rows: readonly Row[] | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  readonly hasMore: boolean;
  readonly showMore: () => void;
  readonly reload: () => void;
}

interface PagesOptions<Row> {
  readonly idOf: (row: Row) => string;
  /** Inputs of the loading, such as filters: a change starts from the first page. */
  readonly on?: readonly unknown[];
  /** As in `useResource`, divided over all shown pages, because all of them are read again. */
  readonly pollMs?: number;
}

interface Held<Row> {
  readonly list: HeldRows<Row> | undefined;
  readonly error: unknown;
  readonly loading: 'first' | 'more' | undefined;
}

interface Wish {
  readonly isForMore: boolean;
  readonly round: number;
}

const nothing = { list: undefined, error: undefined, loading: 'first' } as const;

/**
 * A list in pages with a cursor, newest first. `showMore` adds the next page, and polling updates all shown ones. When
 * a person returns, as many pages are shown, at the same scroll position.
 */
export function usePages<Row>(load: LoadPage<Row>, { idOf, on = [], pollMs }: PagesOptions<Row>): Pages<Row> {
  const [held, setHeld] = useState<Held<Row>>(nothing);
  const [wish, setWish] = useState<Wish>({ isForMore: false, round: 0 });
  const latest = useRef({ load, idOf, list: held.list });
  latest.current = { load, idOf, list: held.list };
  const key = JSON.stringify(on);
  const loadedKey = useRef(key);
  const kept = useRef(keptPlace());
  useEffect(() => {
    const stop = new AbortController();
    const isOther = loadedKey.current !== key;
    loadedKey.current = key;
    const { list: present, ...asking } = latest.current;
    const list = isOther ? undefined : present;
    const isForMore = wish.isForMore && list !== undefined;
    setHeld((before) => (isOther ? nothing : { ...before, loading: isForMore ? 'more' : 'first' }));
    if (isOther) kept.current = undefined;
    const pageCount = list?.pageCount ?? kept.current?.pageCount ?? 1;
    loadList(asking, { list, isForMore, pageCount, signal: stop.signal }).then(
      (loaded) => {
        if (stop.signal.aborted) return;
        keepPageCount(loaded.pageCount);
        setHeld({ list: loaded, error: undefined, loading: undefined });
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setHeld((before) => ({ ...before, error, loading: undefined }));
      },
    );
    return () => {
      stop.abort();
    };
  }, [key, wish]);
  const reload = useCallback(() => {
    setWish(({ round }) => ({ round: round + 1, isForMore: false }));
  }, []);
  const { list, error, loading } = held;
  usePolling(reload, delayOf(held, pollMs), held);
  useLayoutEffect(() => {
    if (list === undefined || kept.current === undefined) return;
    scrollTo(0, kept.current.scrollY);
    kept.current = undefined;
  }, [list]);
  const hasMore = (list?.nextCursor ?? null) !== null;
  const showMore = (): void => {
    if (hasMore && loading !== 'more') setWish(({ round }) => ({ round: round + 1, isForMore: true }));
  };
  const isLoadingMore = loading === 'more';
  return { rows: list?.rows, error, isLoading: loading === 'first', isLoadingMore, hasMore, showMore, reload };
}

type LoadPage<Row> = (cursor: string | undefined, signal: AbortSignal) => Promise<PageOfRows<Row>>;

interface Loading<Row> {
  /** The list as loaded so far. */
  readonly list: HeldRows<Row> | undefined;
  readonly isForMore: boolean;
  /** For a list that is loaded from its start: the number of pages. */
  readonly pageCount: number;
  readonly signal: AbortSignal;
}

async function loadList<Row>(
  { load, idOf }: { readonly load: LoadPage<Row>; readonly idOf: (row: Row) => string },
  { list, isForMore, pageCount, signal }: Loading<Row>,
): Promise<HeldRows<Row>> {
  if (isForMore && list !== undefined && list.nextCursor !== null)
    return joinPages(list, await load(list.nextCursor, signal), idOf);
  return loadFromStart(async (cursor) => load(cursor, signal), { pageCount, idOf });
}

function delayOf({ list, error, loading }: Held<unknown>, pollMs: number | undefined): number | undefined {
  if (loading !== undefined || pollMs === undefined) return undefined;
  return error === undefined ? pollMs * (list?.pageCount ?? 1) : lookAfterErrorMs(error);
}
