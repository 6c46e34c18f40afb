import { Refusal } from '../../core/errors.ts';
import type { Item } from '../../core/items/item.ts';

/** The item that an external id stands for. Throws {@link Refusal} NOT_FOUND. */
export function requireItem(item: Item | null, externalId: string): Item {
  if (item === null) throw new Refusal('NOT_FOUND', `No item with external_id ${JSON.stringify(externalId)}`);
  return item;
}

/** The same, but an archived item is there only to be read and removed. Throws also CONFLICT. */
export function requireCurrent(found: Item | null, externalId: string): Item {
  const item = requireItem(found, externalId);
  if (item.current) return item;
  throw new Refusal('CONFLICT', 'The item was deleted and is only kept as archived: a PUT makes a new one');
}
