import { useEffect, useRef, useState } from 'preact/hooks';
import type { Change } from '../../../../client/generated/types.gen.ts';
import { createStore } from '../state/store.ts';
import { useStore } from '../state/use-store.ts';
import { usePolling } from './use-polling.ts';

/** What a page shows of the account: rows of a kind, or one of them. */
export interface Shown {
  readonly kind: Change['kind'];
  readonly id?: string;
}

interface Watcher {
  readonly shows: readonly Shown[];
  readonly onTouch: () => void;
}

const watchers = new Set<Watcher>();

/** Whether changes are told now; until they are, pages look more often. */
export const liveness = createStore(false);

/** Has those pages look again that show one of the changes; undefined: all of them. */
export function tellPages(changes: readonly Change[] | undefined): void {
  for (const { shows, onTouch } of [...watchers])
    if (changes === undefined || shows.some((shown) => changes.some((change) => isOf(shown, change)))) onTouch();
}

const isOf = ({ kind, id }: Shown, change: Change): boolean =>
  change.kind === kind && (id === undefined || change.ids === null || change.ids.includes(id));

/** However much changes, a page reads itself again only so often. */
const betweenLooksMs = 500;

interface Looking {
  readonly shows: readonly Shown[];
  /** A look that is under way may have read before the change: the next one follows it. */
  readonly isLoading: boolean;
  /** How many calls a look takes. */
  readonly weight?: number;
}

/** Calls `look` when something changes that the page shows; a hidden tab waits until it is seen. */
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
    // The key says all of `shows`.
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

/** So often pages look by themselves although changes are told: a hint may get lost. */
const calmMs = 30_000;

/** Until the next look of a page by itself. */
export function useCalm(delayMs: number | undefined, shows: readonly Shown[]): number | undefined {
  const isLive = useStore(liveness);
  return delayMs === undefined || !isLive || shows.length === 0 ? delayMs : Math.max(delayMs, calmMs);
}
