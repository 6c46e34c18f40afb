import type { Logger } from '../../platform/logger.ts';
import { noteKeyUse, type FoundKey } from './store/api-keys.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';

/** Writes `lastUsedAt` at most once a minute, outside the path of the call. A lost write does no harm. */
export interface KeyUseRecorder {
  note(key: FoundKey): void;
  /** Waits for running writes. */
  flush(): Promise<void>;
}

const noteIntervalMs = 60_000;

/** A recorder for one process. */
export function createKeyUseRecorder(options: {
  store: StoreConnection;
  now: () => Date;
  logger: Logger;
}): KeyUseRecorder {
  const { store, now, logger } = options;
  const underWay = new Map<string, Promise<void>>();
  const write = async (keyId: string): Promise<void> => {
    const at = now();
    try {
      await noteKeyUse(store, keyId, { at, cutoff: new Date(at.getTime() - noteIntervalMs) });
    } catch (error) {
      logger.warn({ keyId, err: error }, 'key_use.not_noted');
    } finally {
      underWay.delete(keyId);
    }
  };
  return {
    note(key) {
      const isFresh = key.lastUsedAt !== null && now().getTime() - key.lastUsedAt.getTime() < noteIntervalMs;
      if (!isFresh && !underWay.has(key._id)) underWay.set(key._id, write(key._id));
    },
    flush: async () => {
      await Promise.all(underWay.values());
    },
  };
}
