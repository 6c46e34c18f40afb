import { isBeingPublished } from '../images/rules/image-set.ts';
import type { ItemRequest, RequestWarning } from './rules/item-content.ts';
import { limitWarnings } from '../listings/rules/marketplace-limits.ts';
import { looksLike } from '../../schemas/items/external-id.ts';
import { isUnwanted, newestListing, wantsPublication, type Item } from './rules/item.ts';

/** `expired`: the marketplace refuses the token. null: no marketplace account is connected. */
export type ConnectionState = 'connected' | 'expired' | null;

/** Warnings for a push that asks for publication: what the marketplace shows otherwise, and that there is no connection. */
export const publicationWarnings = (
  { externalId, request }: { readonly externalId: string; readonly request: ItemRequest },
  connection: ConnectionState,
): RequestWarning[] => [...limitWarnings(externalId, request.content), ...connectionWarnings(connection)];

/** Without a working connection the push is accepted, and published once the account is connected. */
function connectionWarnings(connection: ConnectionState): RequestWarning[] {
  if (connection === 'connected') return [];
  const message =
    connection === 'expired'
      ? 'the marketplace token has expired: the item is published once the marketplace account is reconnected'
      : 'no marketplace account is connected: the item is published once one is';
  return [{ field: 'autoPublishTradera', message }];
}

/** True when the push asks for a publication that it starts, or that is not up yet. `found` is the item before the push. */
export const asksToPublish = (found: Item | null, { autoPublish }: Pick<ItemRequest, 'autoPublish'>): boolean =>
  autoPublish && (found === null || isBeingPublished(found));

/**
 * After a given-up publication only `publish` tries again. Every other write warns of it, because its caller may expect a new
 * try.
 */
export function givenUpWarnings(item: Item): RequestWarning[] {
  const isGivenUp = newestListing(item)?.state === 'failed' && !wantsPublication(item) && !isUnwanted(item);
  if (!isGivenUp) return [];
  const { stage, lastError } = item.processing;
  const cause = stage === 'given_up' && lastError !== null ? ` (${lastError})` : '';
  return [{ field: 'body', message: `publishing was given up${cause}: POST …/publish tries again` }];
}

/** The ids of two items that look the same are one item's, written in two Unicode forms, or a mistake. */
export const lookalikeWarnings = (
  { hasLookalike = false }: { readonly hasLookalike?: boolean },
  field = 'externalId',
): RequestWarning[] => (hasLookalike ? [{ field, message: looksLike('the id of another item') }] : []);
