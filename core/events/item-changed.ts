import { sekFromOre } from '../money.ts';
import { startPriceOre, type Item } from '../items/item.ts';
import type { Actor } from '../items/journal.ts';
import { itemChangedId } from './event-id.ts';
import { emit } from './outbox.ts';

/**
 * What another than the account's own program has changed. `taken_down` is off sale, by a status, because none is left, or at the
 * marketplace.
 */
export const itemChanges = ['price', 'quantity', 'taken_down', 'deleted'] as const;
export type ItemChange = (typeof itemChanges)[number];

/** Who may have changed it. */
export const itemChangers = ['dashboard', 'reseller', 'marketplace', 'operator'] as const;
type ItemChanger = (typeof itemChangers)[number];

const isChanger = (kind: string): kind is ItemChanger => itemChangers.some((one) => one === kind);

/**
 * Adds `item.changed` when the actor is another than a key of the account itself: its program knows what it wrote, and learns
 * here what it did not. `item` is the item after the change; `before` its price until then, for a change of the price.
 */
export function emitChange(
  item: Item,
  { what, actor, priceOreBefore }: { what: ItemChange; actor: Actor; priceOreBefore?: number },
  now: Date,
): Item {
  if (!isChanger(actor.kind)) return item;
  return emit(item, {
    eventId: itemChangedId(item.id, item.revision),
    type: 'item.changed',
    occurredAt: now,
    platform: actor.kind === 'marketplace' ? 'marketplace' : 'service',
    extra: {
      what,
      by: actor.kind,
      price: sekFromOre(startPriceOre(item)),
      ...(priceOreBefore !== undefined && { previousPrice: sekFromOre(priceOreBefore) }),
      ...(item.quantityLeft !== null && { quantityLeft: item.quantityLeft }),
      serviceStatus: item.removedAt === null ? item.serviceStatus : null,
    },
    ...(actor.keyId !== null && actor.accountId !== null && { writtenBy: actor.accountId }),
  });
}
