import { isBeingPublished } from '../../core/items/image-set.ts';
import type { ItemRequest, RequestWarning } from '../../core/items/item-content.ts';
import type { Item } from '../../core/items/item.ts';

/** `expired`: the marketplace refuses the token. null: no marketplace account is connected. */
export type ConnectionState = 'connected' | 'expired' | null;

/**
 * Warnings for a push that asks for publication without a working connection. It is accepted, and published once the account is
 * connected.
 */
export function connectionWarnings(isWaiting: boolean, connection: ConnectionState): RequestWarning[] {
  if (!isWaiting || connection === 'connected') return [];
  const message =
    connection === 'expired'
      ? 'the marketplace token has expired: the item is published once the marketplace account is reconnected'
      : 'no marketplace account is connected: the item is published once one is';
  return [{ field: 'autoPublishTradera', message }];
}

/** True when the push asks for a publication that it starts, or that is not up yet. `found` is the item before the push. */
export const asksToPublish = (found: Item | null, { autoPublish }: Pick<ItemRequest, 'autoPublish'>): boolean =>
  autoPublish && (found === null || isBeingPublished(found));
