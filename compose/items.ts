import { randomUUID } from 'node:crypto';
import { itemId, type AccountId } from '../core/ids.ts';
import type { Item } from '../core/items/item.ts';
import type { Scope } from '../core/scope.ts';
import type { Orchestrator } from '../gateways/orchestrator/port.ts';
import { createWorkflowPages } from '../gateways/orchestrator/workflow-pages.ts';
import type { ItemListQuery } from '../schemas/items/item-list.ts';
import { isOperator } from '../store/accounts/accounts.ts';
import { createItemListStore } from '../store/items/item-list.ts';
import { createItemStore } from '../store/items/items.ts';
import { createJournalStore } from '../store/items/journal.ts';
import { findConnectionState } from '../store/marketplace/marketplace-connections.ts';
import { confirmCredential } from '../usecases/accounts/confirm-credential.ts';
import { createHints, type Hints } from '../usecases/hints.ts';
import { bindBatch } from '../usecases/items/bind-batch.ts';
import { createItemWrites } from '../usecases/items/item-writes.ts';
import { listItems } from '../usecases/items/list-items.ts';
import { readItem, readItemStatus } from '../usecases/items/read-item.ts';
import { readPartnerItem } from '../usecases/items/read-partner-item.ts';
import { readTimeline } from '../usecases/items/read-timeline.ts';
import { createKeyedMutex } from '../platform/concurrency/keyed-mutex.ts';
import type { FirstLook } from '../usecases/items/write-item.ts';
import { createItemRoom } from '../usecases/quota/create-item-room.ts';
import { itemWorkflowId } from '../workflows/contracts/items.ts';
import type { Foundation } from './foundation.ts';
import { composeOrchestrator } from './orchestrator.ts';

/** The item use cases that answer requests. `settle` waits for the hints that are still being sent. */
export function composeItems(foundation: Foundation) {
  const { config, logger, store, metrics, now } = foundation;
  const items = createItemStore(store);
  const hints = createHints(logger, (how) => metrics.hintsLost.add({ how }));
  const nudge = nudger(hints, composeOrchestrator(foundation));
  const confirm = confirmCredential.bind(undefined, { store, now });
  const newItemId = () => itemId(randomUUID());
  const firstLook = firstLookOf(foundation);
  const connectionOf = (account: AccountId) => findConnectionState(store, account);
  const confirmed = { confirmCredential: confirm, connectionOf };
  const takeRoom = createItemRoom({ store, now, itemsMax: config.storageQuota.itemsMax });
  const writes = { items, takeRoom, ...confirmed, nudge, firstLook, newItemId, now, runExclusive: createKeyedMutex() };
  const pageOf = createWorkflowPages({ uiUrl: config.temporal.uiUrl, namespace: config.temporal.namespace });
  const partnerItems = {
    ...{ items, publicUrl: config.publicUrl, now },
    isOperator: (account: AccountId) => isOperator(store, account),
    workflowOf: ({ id, hasRun = false }: Item) => pageOf(itemWorkflowId(id), { hasRun }),
  };
  return {
    ...createItemWrites(writes),
    applyBatch: bindBatch(store, writes),
    read: (scope: Scope, externalId: string) => readItem({ items, publicUrl: config.publicUrl }, scope, externalId),
    readForPartner: (scope: Scope, externalId: string) => readPartnerItem(partnerItems, scope, externalId),
    readStatus: (scope: Scope, externalId: string) => readItemStatus(items, scope, externalId),
    list: (scope: Scope, query: ItemListQuery) =>
      listItems({ itemList: createItemListStore(store), publicUrl: config.publicUrl }, scope, query),
    readTimeline: (scope: Scope, page: Parameters<typeof readTimeline>[2]) =>
      readTimeline({ items, journal: createJournalStore(store) }, scope, page),
    settle: () => hints.drain(),
  };
}

/** A trace goes on through the engine alone, so whoever traces has all items go there. */
export const firstLookOf = ({ config, tracing }: Pick<Foundation, 'config' | 'tracing'>): FirstLook =>
  tracing === undefined ? config.items.firstLook : 'workflow';

export const nudger =
  (hints: Hints, orchestrator: Orchestrator) =>
  (item: Item): void => {
    const { id, accountId, externalId, requestId = null } = item;
    hints.send(`item:${id}`, () => orchestrator.nudgeItem({ itemId: id, accountId, externalId, requestId }));
  };
