import { defineChannel } from '../database/channel.ts';
import type { StoreConnection } from '../database/connection.ts';
import type { DueQueue } from './due-rows.ts';

const bytesMax = 1_048_576;
/** Each row is one ring: queues that have work since a moment ago. */
const channel = defineChannel<DueQueue>('doorbell', bytesMax);

/** Tells the dispatchers that a queue has work. Only a hint: they also look by themselves every two seconds. */
export type Ring = (queue: DueQueue) => void;

/** A process rings at most this often: what is due meanwhile goes into the next ring. */
const betweenRingsMs = 20;
/** More queues than this are found by looking. */
const queuesMax = 200;

/** A process's end of the doorbell. Nothing waits for a ring, and a lost one costs two seconds. */
export function createDoorbell(store: StoreConnection): { readonly ring: Ring; readonly close: () => void } {
  const queues = new Map<string, DueQueue>();
  let timer: NodeJS.Timeout | undefined;
  const send = (): void => {
    timer = undefined;
    if (queues.size === 0) return;
    timer = setTimeout(send, betweenRingsMs);
    channel.send(store, [...queues.values()]);
    queues.clear();
  };
  return {
    ring: (queue) => {
      if (queues.size < queuesMax) queues.set(`${queue.kind} ${queue.by} ${queue.key}`, queue);
      // The first one of a while goes out at once, with what else is written in this turn.
      timer ??= setTimeout(send, 0);
    },
    close: () => clearTimeout(timer),
  };
}

/**
 * Hears all rings until `signal` ends it. `onOpen` is called whenever it begins to hear: what was rung before is not heard. Never
 * rejects.
 */
export const hearRings = (
  store: StoreConnection,
  { onRing, onOpen, signal }: { onRing: Ring; onOpen: () => void; signal: AbortSignal },
): Promise<void> =>
  channel.hear(store, {
    onRow: ({ entries, isNew }) => {
      if (isNew) entries.forEach(onRing);
    },
    ...{ onOpen, signal },
  });
