import { useEffect } from 'preact/hooks';
import type { Changes } from '../../../../client/generated/types.gen.ts';
import { api } from './api.ts';
import { liveness, tellPages } from './live.ts';

/** A tab that is hidden this long closes its stream, because browsers allow few connections to one host. */
const hiddenMs = 15_000;
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/**
 * Receives changes while the page is open and visible. After the end of a stream the next one continues at its
 * position.
 */
export function useChangeStream(whose: Whose): void {
  const { member, isAll } = whose;
  useEffect(() => {
    const stop = new AbortController();
    listen({ member, isAll }, stop.signal).catch(() => undefined);
    return () => {
      stop.abort();
      liveness.set(false);
    };
  }, [member, isAll]);
}

async function listen(whose: Whose, stop: AbortSignal): Promise<void> {
  let lastId: string | undefined;
  let failures = 0;
  while (!stop.aborted) {
    await untilSeen(stop);
    const isFirst = lastId === undefined;
    const ending = await hear({ ...whose, lastId, stop }, ({ event, id, data }) => {
      lastId = id ?? lastId;
      if (event === 'ready') {
        liveness.set(true);
        // Data that was read before the stream began may be outdated.
        if (failures > 0 && isFirst) tellPages(undefined);
      } else if (event === 'reset') tellPages(undefined);
      else if (event === 'changed') tellPages(data.changes);
    });
    liveness.set(false);
    failures = ending === 'unheard' ? failures + 1 : 0;
    // Long, because seven windows must not take turns with the six streams of a session.
    const pauseMs = ending === 'replaced' ? longestPauseMs : pauseAfter(failures);
    // A random part, so that not all tabs return at once after a restart of the service.
    await pause(pauseMs * (0.5 + Math.random() / 2), stop);
  }
}

const pauseAfter = (failures: number): number => Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 10));

/** `replaced`: the session has opened newer streams instead. */
type Ending = 'unheard' | 'heard' | 'replaced';

/** The account's own changes, with those of a member or of all. */
interface Whose {
  readonly member: string | undefined;
  readonly isAll: boolean;
}

interface Wish extends Whose {
  readonly lastId: string | undefined;
  readonly stop: AbortSignal;
}

interface Told {
  readonly event?: string;
  readonly id?: string;
  readonly data: Changes;
}

/** Reads one stream to its end. */
async function hear({ member, isAll, lastId, stop }: Wish, onTold: (told: Told) => void): Promise<Ending> {
  const stopped = new AbortController();
  const end = (): void => {
    stopped.abort();
  };
  stop.addEventListener('abort', end, { once: true });
  const stopWatching = afterHidden(end);
  let ending: Ending = 'unheard';
  try {
    const options = {
      ...(lastId !== undefined && { headers: { 'Last-Event-ID': lastId } }),
      signal: stopped.signal,
      sseMaxRetryAttempts: 1,
      onSseEvent: (told) => {
        ending = told.event === 'end' && Reflect.get(told.data, 'reason') === 'replaced' ? 'replaced' : 'heard';
        onTold(told);
      },
    } satisfies Parameters<typeof api.streamMembersChanges>[0];
    const { stream } = isAll
      ? await api.streamMembersChanges(options)
      : await api.streamChanges({ ...options, ...(member !== undefined && { query: { member } }) });
    for await (const _told of stream);
  } catch {
    // The service is unreachable or at its limit; pages poll by themselves.
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
