import { randomUUID } from 'node:crypto';
import { createBulkActivities } from '../activities/bulk-activities.ts';
import { itemId, type AccountId } from '../core/ids.ts';
import type { Scope } from '../core/scope.ts';
import type { Orchestrator } from '../gateways/orchestrator/port.ts';
import { createItemBacklog } from '../store/items/item-backlog.ts';
import { createItemLineStore } from '../store/items/item-lines.ts';
import { findConnectionState } from '../store/marketplace/marketplace-connections.ts';
import { hasOlderBulk } from '../store/bulk-syncs/open-bulk-syncs.ts';
import { sweepBulkSyncs } from '../usecases/bulk-syncs/sweep-bulk-syncs.ts';
import type { BulkOrigin } from '../usecases/items/apply-lines.ts';
import { createBacklogFeeder } from '../usecases/items/feed-backlog.ts';
import type { GiveWay } from '../usecases/items/give-way.ts';
import type { LookFirst } from '../usecases/items/look-first.ts';
import { createKeyedMutex } from '../platform/concurrency/keyed-mutex.ts';
import { createItemRoom } from '../usecases/quota/create-item-room.ts';
import { now, type Foundation } from './foundation.ts';

interface BulkParts {
  readonly orchestrator: Orchestrator;
  readonly giveWay: GiveWay;
  /** undefined where workflows look first. */
  readonly lookFirst: LookFirst | undefined;
}

/** What the worker does for bulk syncs, and for the work that many items at once leave. */
export function composeBulkSyncs(
  { config, store, logger }: Foundation,
  { orchestrator, giveWay, lookFirst }: BulkParts,
) {
  const items = {
    lines: createItemLineStore(store),
    hasOlderBulk: (scope: Scope, bulk: BulkOrigin) => hasOlderBulk(store, { ...scope, ...bulk }),
    // Each chunk asks after its sender (confirm-sender.ts).
    confirmCredential: () => Promise.resolve(),
    connectionOf: (account: AccountId) => findConnectionState(store, account),
    takeRoom: createItemRoom({ store, now, itemsMax: config.storageQuota.itemsMax }),
    runExclusive: createKeyedMutex(),
    newItemId: () => itemId(randomUUID()),
    now,
  };
  const feedBacklog = createBacklogFeeder({
    ...{ backlog: createItemBacklog(store), orchestrator, now },
    isOthersTurn: giveWay.isAsked,
    // In the rhythm of other bulk work while somebody waits for a single write.
    ...(lookFirst && { lookFirst: (id) => (giveWay.isAsked() ? giveWay.pass(() => lookFirst(id)) : lookFirst(id)) }),
  });
  return {
    activities: createBulkActivities({ store, items, giveWay, logger, now }),
    rounds: {
      'sweep-bulk-syncs': async () => (await sweepBulkSyncs({ store, orchestrator, now })) > 0,
      // The pace of workflows is that of the places that come free, and asking for those all the time would help nobody.
      'feed-backlog': async () => (await feedBacklog()) > 0,
    },
  };
}
