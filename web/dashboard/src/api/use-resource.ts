import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useCalm, useLive, type Shown } from './live.ts';
import { lookAfterErrorMs, usePolling } from './use-polling.ts';

export interface Resource<Data> {
  /** undefined until it is there; what was there last while it is loaded again or that fails. */
  readonly data: Data | undefined;
  /** Why the last try failed; undefined when it did not. */
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Loads it again now, for instance after a change. */
  readonly reload: () => void;
}

interface ResourceOptions<Data> {
  /** What the loading depends on: a change loads anew and forgets what was there. */
  readonly on?: readonly unknown[];
  /** Milliseconds until it is looked at again while the tab is visible; not asked for: never. `movingMs` and `restingMs` are there for it. */
  readonly pollMs?: (data: Data) => number;
  /** It is loaded again when one of these changes, too. */
  readonly shows?: readonly Shown[];
}

const nothingShown: readonly Shown[] = [];

interface Held<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
}

const nothing = { data: undefined, error: undefined, isLoading: true };

/** Something the service knows: loaded when the component appears, looked at again by `pollMs`, broken off when it leaves. */
export function useResource<Data>(
  load: (signal: AbortSignal) => Promise<Data>,
  { on = [], pollMs, shows = nothingShown }: ResourceOptions<Data> = {},
): Resource<Data> {
  const [held, setHeld] = useState<Held<Data>>(nothing);
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const key = JSON.stringify(on);
  const loadedKey = useRef(key);
  useEffect(() => {
    const stop = new AbortController();
    setHeld((before) => (loadedKey.current === key ? { ...before, isLoading: true } : nothing));
    loadedKey.current = key;
    latest.current(stop.signal).then(
      (data) => {
        if (!stop.signal.aborted) setHeld({ data, error: undefined, isLoading: false });
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setHeld(({ data }) => ({ data, error, isLoading: false }));
      },
    );
    return () => {
      stop.abort();
    };
  }, [key, round]);
  const reload = useCallback(() => {
    setRound((before) => before + 1);
  }, []);
  usePolling(reload, useCalm(delayOf(held, pollMs), shows), held);
  useLive(reload, { shows, isLoading: held.isLoading });
  return { ...held, reload };
}

/** A failed look is made again as well, so that a page heals by itself. */
function delayOf<Data>({ data, error, isLoading }: Held<Data>, pollMs: ((data: Data) => number) | undefined) {
  if (isLoading || pollMs === undefined) return undefined;
  if (error !== undefined) return lookAfterErrorMs(error);
  return data === undefined ? undefined : pollMs(data);
}
