import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { lookAfterErrorMs, usePolling } from './use-polling.ts';

export interface Resource<Data> {
  /** undefined until it is loaded; the last value while it is loaded again, or when that fails. */
  readonly data: Data | undefined;
  /** Failure of the last load; undefined when it succeeded. */
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Loads it again now, for instance after a change. */
  readonly reload: () => void;
}

interface ResourceOptions<Data> {
  /** Inputs of the loading: a change loads again and drops the old value. */
  readonly on?: readonly unknown[];
  /**
   * Milliseconds until the next load while the tab is visible: `watchedMs`, `restingMs` or `figuresMs`, perhaps by what was loaded;
   * absent or undefined: no polling.
   */
  readonly pollMs?: number | ((data: Data) => number | undefined);
}

interface Held<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
}

const nothing = { data: undefined, error: undefined, isLoading: true };

/** Data of the service: loaded when the component appears, polled by `pollMs`, aborted when the component goes. */
export function useResource<Data>(
  load: (signal: AbortSignal) => Promise<Data>,
  { on = [], pollMs }: ResourceOptions<Data> = {},
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
  usePolling(reload, delayOf(held, pollMs), held);
  return { ...held, reload };
}

/** A failed load is repeated as well, so that a page recovers by itself. */
function delayOf<Data>(
  { data, error, isLoading }: Held<Data>,
  pollMs: ResourceOptions<Data>['pollMs'],
): number | undefined {
  if (isLoading || pollMs === undefined) return undefined;
  if (error !== undefined) return lookAfterErrorMs(error);
  if (typeof pollMs === 'number') return pollMs;
  return data === undefined ? undefined : pollMs(data);
}
