import { useEffect } from 'preact/hooks';
import type { Changes } from '../../../../client/generated/types.gen.ts';
import { api } from './api.ts';
import { liveness, tellPages } from './live.ts';

/** A hidden tab gives its stream up after this: browsers have few connections for one host. */
const hiddenMs = 15_000;
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/** Hears what changes for as long as the page is there and seen. A stream that ends goes on where it was. */
export function useChangeStream(member: string | undefined): void {
  useEffect(() => {
    const stop = new AbortController();
    listen(member, stop.signal).catch(() => undefined);
    return () => {
      stop.abort();
      liveness.set(false);
    };
  }, [member]);
}

async function listen(member: string | undefined, stop: AbortSignal): Promise<void> {
  let lastId: string | undefined;
  let failures = 0;
  while (!stop.aborted) {
    await untilSeen(stop);
    const isFirst = lastId === undefined;
    const ending = await hear({ member, lastId, stop }, ({ event, id, data }) => {
      lastId = id ?? lastId;
      if (event === 'ready') {
        liveness.set(true);
        // What was read before the stream could begin may be old.
        if (failures > 0 && isFirst) tellPages(undefined);
      } else if (event === 'reset') tellPages(undefined);
      else if (event === 'changed') tellPages(data.changes);
    });
    liveness.set(false);
    failures = ending === 'unheard' ? failures + 1 : 0;
    // Seven windows must not take the six streams of a session from each other all the time.
    const pauseMs = ending === 'replaced' ? longestPauseMs : pauseAfter(failures);
    // Not all at once after a restart of the service.
    await pause(pauseMs * (0.5 + Math.random() / 2), stop);
  }
}

const pauseAfter = (failures: number): number => Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 10));

/** `replaced`: the session has opened others instead. */
type Ending = 'unheard' | 'heard' | 'replaced';

interface Wish {
  readonly member: string | undefined;
  readonly lastId: string | undefined;
  readonly stop: AbortSignal;
}

interface Told {
  readonly event?: string;
  readonly id?: string;
  readonly data: Changes;
}

/** One stream to its end. */
async function hear({ member, lastId, stop }: Wish, onTold: (told: Told) => void): Promise<Ending> {
  const stopped = new AbortController();
  const end = (): void => {
    stopped.abort();
  };
  stop.addEventListener('abort', end, { once: true });
  const stopWatching = afterHidden(end);
  let ending: Ending = 'unheard';
  try {
    const { stream } = await api.streamChanges({
      ...(member !== undefined && { query: { member } }),
      ...(lastId !== undefined && { headers: { 'Last-Event-ID': lastId } }),
      signal: stopped.signal,
      sseMaxRetryAttempts: 1,
      onSseEvent: (told) => {
        ending = told.event === 'end' && Reflect.get(told.data, 'reason') === 'replaced' ? 'replaced' : 'heard';
        onTold(told);
      },
    });
    for await (const _told of stream);
  } catch {
    // The service can't be reached, or has no room: pages look by themselves.
  } finally {
    stop.removeEventListener('abort', end);
    stopWatching();
  }
  return ending;
}

/** Calls `act` once the tab has been hidden for a while. */
function afterHidden(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(act, hiddenMs);
  };
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', look);
  };
}

async function untilSeen(stop: AbortSignal): Promise<void> {
  if (!document.hidden) return;
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (document.hidden && !stop.aborted) return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    stop.addEventListener('abort', look, { once: true });
  });
}

const pause = async (ms: number, stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (stop.aborted) resolve();
    const timer = setTimeout(resolve, ms);
    stop.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
