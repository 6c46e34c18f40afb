import { Refusal } from '../../core/errors.ts';
import type { Item } from '../../core/items/item.ts';

/** Returns the item of an external id. Throws {@link Refusal} NOT_FOUND. */
export function requireItem(item: Item | null, externalId: string): Item {
  if (item === null) throw new Refusal('NOT_FOUND', `No item with external_id ${JSON.stringify(externalId)}`);
  return item;
}

/** Like {@link requireItem}, but an archived item may only be read and removed. Throws also CONFLICT. */
export function requireCurrent(found: Item | null, externalId: string): Item {
  const item = requireItem(found, externalId);
  if (item.current) return item;
  throw new Refusal('CONFLICT', 'The item was deleted and is only kept as archived: a PUT makes a new one');
}
