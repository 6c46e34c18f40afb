import { isBeingPublished } from '../images/rules/image-set.ts';
import { problem, type FieldProblem } from '../rules/field-problems.ts';
import type { ItemRequest } from './rules/item-content.ts';
import { limitWarnings } from '../listings/rules/marketplace-limits.ts';
import { isUnwanted, newestListing, wantsPublication, type Item } from './rules/item.ts';

/** `expired`: the marketplace refuses the token. null: no marketplace account is connected. */
export type ConnectionState = 'connected' | 'expired' | null;

/** Warnings for a push that asks for publication: what the marketplace shows otherwise, and that there is no connection. */
export const publicationWarnings = (
  { externalId, request }: { readonly externalId: string; readonly request: ItemRequest },
  connection: ConnectionState,
): FieldProblem[] => [...limitWarnings(externalId, request.content), ...connectionWarnings(connection)];

/** Without a working connection the push is accepted, and published once the account is connected. */
const connectionWarnings = (connection: ConnectionState): FieldProblem[] =>
  connection === 'connected'
    ? []
    : [problem('autoPublishTradera', connection === 'expired' ? 'connection_expired' : 'not_connected')];

/** True when the push asks for a publication that it starts, or that is not up yet. `found` is the item before the push. */
export const asksToPublish = (found: Item | null, { autoPublish }: Pick<ItemRequest, 'autoPublish'>): boolean =>
  autoPublish && (found === null || isBeingPublished(found));

/**
 * After a given-up publication only `publish` tries again. Every other write warns of it, because its caller may expect a new
 * try.
 */
export function givenUpWarnings(item: Item): FieldProblem[] {
  const isGivenUp = newestListing(item)?.state === 'failed' && !wantsPublication(item) && !isUnwanted(item);
  if (!isGivenUp) return [];
  const { stage, lastError } = item.processing;
  return [problem('body', 'given_up', stage === 'given_up' && lastError !== null ? { lastError } : {})];
}

/** The ids of two items that look the same are one item's, written in two Unicode forms, or a mistake. */
export const lookalikeWarnings = (
  { hasLookalike = false }: { readonly hasLookalike?: boolean },
  field = 'externalId',
): FieldProblem[] => (hasLookalike ? [problem(field, 'lookalike_id', {})] : []);
