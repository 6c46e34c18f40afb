import { useEffect, useRef, useState } from 'preact/hooks';
import type { Change } from '../../../../client/generated/types.gen.ts';
import { createStore } from '../state/store.ts';
import { useStore } from '../state/use-store.ts';
import { usePolling } from './use-polling.ts';

/** What a page shows: rows of a kind, or one of them. */
export interface Shown {
  readonly kind: Change['kind'];
  readonly id?: string;
}

interface Watcher {
  readonly shows: readonly Shown[];
  readonly onTouch: () => void;
}

const watchers = new Set<Watcher>();

/** Whether changes are being received; otherwise pages poll more often. */
export const liveness = createStore(false);

/** Makes the pages read again that show one of the changes; undefined: all pages. */
export function tellPages(changes: readonly Change[] | undefined): void {
  for (const { shows, onTouch } of [...watchers])
    if (changes === undefined || shows.some((shown) => changes.some((change) => isOf(shown, change)))) onTouch();
}

const isOf = ({ kind, id }: Shown, change: Change): boolean =>
  change.kind === kind && (id === undefined || change.ids === null || change.ids.includes(id));

/** However many changes come, a page reads again at most this often. */
const betweenLooksMs = 500;

interface Looking {
  readonly shows: readonly Shown[];
  /** A load in progress may have read before the change, so another load follows it. */
  readonly isLoading: boolean;
  /** Number of calls in one load. */
  readonly weight?: number;
}

/** Calls `look` when something changes that the page shows; a hidden tab waits until it is visible. */
export function useLive(look: () => void, { shows, isLoading, weight = 1 }: Looking): void {
  const [touches, setTouches] = useState(0);
  const seen = useRef({ touches: 0, at: -Infinity });
  const key = JSON.stringify(shows);
  useEffect(() => {
    const watcher = {
      shows,
      onTouch: () => {
        setTouches((before) => before + 1);
      },
    };
    watchers.add(watcher);
    return () => void watchers.delete(watcher);
    // The key covers all of `shows`.
  }, [key]);
  const isDue = touches !== seen.current.touches && !isLoading;
  const lookNow = useRef<() => void>(look);
  lookNow.current = () => {
    seen.current = { touches, at: performance.now() };
    look();
  };
  const [lookOnce] = useState(() => () => {
    lookNow.current();
  });
  const waitMs = Math.max(0, seen.current.at + betweenLooksMs * weight - performance.now());
  usePolling(lookOnce, isDue ? Math.ceil(waitMs) : undefined, touches);
}

/** How often pages poll although changes are received, because a hint may be lost. */
const calmMs = 30_000;

/** Pause until the page's next poll. */
export function useCalm(delayMs: number | undefined, shows: readonly Shown[]): number | undefined {
  const isLive = useStore(liveness);
  return delayMs === undefined || !isLive || shows.length === 0 ? delayMs : Math.max(delayMs, calmMs);
}
