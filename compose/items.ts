import { itemId } from '../core/ids.ts';
import type { Item } from '../core/items/item.ts';
import type { Scope } from '../core/scope.ts';
import type { Orchestrator } from '../gateways/orchestrator/port.ts';
import { createTemporalOrchestrator } from '../gateways/orchestrator/temporal-orchestrator.ts';
import type { ItemListQuery } from '../schemas/items/item-list.ts';
import { createItemListStore } from '../store/item-list.ts';
import { createItemStore } from '../store/items.ts';
import { createJournalStore } from '../store/journal.ts';
import { confirmCredential } from '../usecases/accounts/confirm-credential.ts';
import { createHints, type Hints } from '../usecases/hints.ts';
import { bindBatch } from '../usecases/items/bind-batch.ts';
import { createItemWrites } from '../usecases/items/item-writes.ts';
import { listItems } from '../usecases/items/list-items.ts';
import { readItem, readItemStatus } from '../usecases/items/read-item.ts';
import { readTimeline } from '../usecases/items/read-timeline.ts';
import { createTurns } from '../usecases/items/take-turns.ts';
import { randomUUID } from 'node:crypto';
import { now, type Foundation } from './foundation.ts';

/** The item use cases that answer requests. `settle` waits for the hints that are still being sent. */
export function composeItems({ config, logger, store, client }: Foundation) {
  const items = createItemStore(store);
  const hints = createHints(logger);
  const nudge = nudger(hints, createTemporalOrchestrator(client, config.temporal.taskQueue));
  const confirm = confirmCredential.bind(undefined, { store, now });
  const newItemId = () => itemId(randomUUID());
  const writes = { items, confirmCredential: confirm, nudge, newItemId, now, takeTurn: createTurns() };
  return {
    ...createItemWrites(writes),
    applyBatch: bindBatch(store, writes),
    read: (scope: Scope, externalId: string) => readItem({ items, publicUrl: config.publicUrl }, scope, externalId),
    readStatus: (scope: Scope, externalId: string) => readItemStatus(items, scope, externalId),
    list: (scope: Scope, query: ItemListQuery) =>
      listItems({ itemList: createItemListStore(store), publicUrl: config.publicUrl, now }, scope, query),
    readTimeline: (scope: Scope, page: Parameters<typeof readTimeline>[2]) =>
      readTimeline({ items, journal: createJournalStore(store) }, scope, page),
    settle: () => hints.drain(),
  };
}

export const nudger =
  (hints: Hints, orchestrator: Orchestrator) =>
  (item: Item): void => {
    const { id, accountId, externalId, journal } = item;
    const requestId = journal.at(-1)?.actor.requestId ?? null;
    hints.send(`item:${id}`, () => orchestrator.nudgeItem({ itemId: id, accountId, externalId, requestId }));
  };
