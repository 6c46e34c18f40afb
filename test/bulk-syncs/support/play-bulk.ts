import { randomUUID } from 'node:crypto';
import { bulkSyncId, itemId } from '../../../features/rules/ids.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { createItemLineStore } from '../../../features/items/store/item-lines.ts';
import { findConnectionState } from '../../../features/listings/store/marketplace-connections.ts';
import { applyChunk, endBulk, planBulk } from '../../../features/bulk-syncs/apply-chunk.ts';
import type { ChunkDependencies } from '../../../features/bulk-syncs/apply-piece.ts';
import { createKeyedMutex } from '../../../platform/concurrency/keyed-mutex.ts';
import { present } from '../../support/clock.ts';

export const chunkDependencies = (store: StoreConnection): ChunkDependencies => ({
  store,
  logger: { error: () => undefined },
  items: {
    lines: createItemLineStore(store),
    confirmCredential: () => Promise.resolve(),
    connectionOf: (account) => findConnectionState(store, account),
    runExclusive: createKeyedMutex(),
    newItemId: () => itemId(randomUUID()),
    now: present,
  },
  now: present,
});

/** What the workflow does, without the engine. */
export async function playBulk(dependencies: ChunkDependencies, id: string): Promise<void> {
  await playChunks(dependencies, id);
  await endBulk(dependencies, bulkSyncId(id));
}

export async function playChunks(dependencies: ChunkDependencies, id: string, chunksMax = Infinity): Promise<void> {
  const bulkId = bulkSyncId(id);
  let chunks = 0;
  for (;;) {
    const accounts = await planBulk(dependencies, bulkId);
    if (accounts.length === 0) return;
    for (const accountId of accounts) {
      if (chunks >= chunksMax) return;
      await applyChunk(dependencies, { bulkId, accountId });
      chunks += 1;
    }
  }
}
