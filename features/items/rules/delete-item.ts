import { emitChange } from '../../webhooks/rules/event-data.ts';
import { withdraw } from '../../listings/rules/publication.ts';
import type { Item } from './item.ts';
import type { Actor } from './journal.ts';
import { note } from './note.ts';
import { acceptWrite } from './owed-work.ts';
import { serviceStatusAfter } from './transitions.ts';

/**
 * DELETE: this write frees the external id. Without an order in progress the item becomes a tombstone, and its auction comes
 * down. With one it stays readable as `archived`; a DELETE after the order has closed removes it (protocol 5).
 */
export function deletedItem(item: Item, { now, actor }: { now: Date; actor: Actor }): Item {
  const isLinked = item.openOrderIds.length > 0;
  if (!item.current && (isLinked || item.removedAt !== null)) return item;
  const withdrawn = { ...withdraw(item, now), current: false };
  const deleted: Item = isLinked
    ? { ...withdrawn, serviceStatus: serviceStatusAfter('deleteLinked', item.serviceStatus) }
    : { ...withdrawn, removedAt: now };
  const noted = note(acceptWrite(deleted, now), { at: now, kind: 'deleted', details: { isArchived: isLinked }, actor });
  return emitChange(noted, { what: 'deleted', actor }, now);
}
