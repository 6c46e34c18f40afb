import { emitChange } from '../../webhooks/rules/event-data.ts';
import { withdraw } from '../../listings/rules/publication.ts';
import type { Item } from './item.ts';
import type { Actor } from './journal.ts';
import { note } from './note.ts';
import { acceptWrite } from './owed-work.ts';
import { serviceStatusAfter } from './transitions.ts';

/**
 * PATCH status: the item is off the service at once, and its auction comes down next. Returns the item unchanged when it has that
 * status.
 */
export function itemWithStatus(
  item: Item,
  status: 'not_listed' | 'sold',
  { now, actor }: { now: Date; actor: Actor },
): Item {
  if (item.serviceStatus === status) return item;
  const trigger = status === 'sold' ? 'patchSold' : 'patchNotListed';
  // `sold` means all pieces when there are several.
  const quantityLeft = status === 'sold' && item.quantityLeft !== null ? 0 : item.quantityLeft;
  const changed = {
    ...withdraw(item, now),
    serviceStatus: serviceStatusAfter(trigger, item.serviceStatus),
    quantityLeft,
  };
  const noted = note(acceptWrite(changed, now), { at: now, kind: 'status_changed', details: { status }, actor });
  return emitChange(noted, { what: 'taken_down', actor }, now);
}
