import { setTimeout as sleep } from 'node:timers/promises';
import type { ItemId } from '../../core/ids.ts';
import type { Item } from '../../core/items/item.ts';
import type { ItemStore } from '../../store/items/items.ts';

const roundsMax = 20;

/**
 * Applies a pure change to an item with compare-and-set, and reads again after a lost race. Returns the stored item, null when
 * the item is gone, or the item as read when `change` returns it unchanged. Throws an Error after 20 lost rounds.
 */
export async function changeItem(items: ItemStore, id: ItemId, change: (item: Item) => Item): Promise<Item | null> {
  for (let round = 0; round < roundsMax; round += 1) {
    const item = await items.findById(id);
    if (item === null) return null;
    const changed = change(item);
    if (changed === item) return item;
    const stored = await items.replace(item, changed);
    if (stored !== null) return stored;
    await pause(round);
  }
  throw new Error(`item ${id} was overtaken ${roundsMax} times`);
}

/** A majority read trails the newest write by a few milliseconds, and the others need them to finish. */
const pause = (round: number): Promise<void> => sleep(Math.min(2 + round * 2, 40));
