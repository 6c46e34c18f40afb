import { problem, type FieldProblem } from '../rules/field-problems.ts';
import { isHeldPrice } from './rules/change-price.ts';
import type { ItemRequest } from './rules/item-content.ts';
import { otherFormsOf } from './rules/id-forms.ts';
import type { Item } from './rules/item.ts';
import { actorOf, type Actor } from './rules/journal.ts';
import { createItem, updateItem } from './rules/upsert-item.ts';
import { withKept } from './keep-left-out.ts';
import { pendingWarnings } from '../listings/rules/pending-changes.ts';
import type { Scope } from '../rules/scope.ts';
import type { Context } from '../context.ts';
import { asksToPublish, givenUpWarnings, lookalikeWarnings, publicationWarnings } from './warnings.ts';
import {
  resultOf,
  writeItem,
  type WriteDecision,
  type WriteDependencies,
  type WriteResult,
  type WriteTarget,
} from './write-item.ts';

export interface UpsertDependencies extends WriteDependencies, Pick<Context, 'newItemId'> {
  /** Read for pushes that ask for publication. Undefined: all accounts are connected. */
  readonly connectionOf?: Context['connectionOf'];
  /** Undefined: the number of items per account is not limited. */
  readonly takeRoom?: Context['takeRoom'];
}

export interface ItemPush extends WriteTarget {
  readonly request: ItemRequest;
}

/**
 * Accepts a push of an ERP. An external id means its current item alone: after a DELETE the same id begins with a new
 * item, whose events continue the numbers of the old one. Throws as {@link writeItem}, and Refusal QUOTA_EXCEEDED.
 */
export async function upsertItem(dependencies: UpsertDependencies, scope: Scope, push: ItemPush): Promise<WriteResult> {
  const { items, newItemId, connectionOf, takeRoom, now } = dependencies;
  const { externalId, request } = push;
  const { accountId } = scope;
  const actor = actorOf(scope);
  const create = async () => {
    const room = await takeRoom?.(accountId, 1);
    if (room?.granted === 0) throw room.refusal;
    const [predecessor, ...lookalikes] = await Promise.all([
      items.findPredecessor(accountId, externalId),
      ...otherFormsOf(externalId).map((form) => items.findCurrent(accountId, form)),
    ]);
    const sequenceBefore = predecessor?.sequence ?? 0;
    const item = createItem({ id: newItemId(), accountId, externalId, request, sequenceBefore, actor, now: now() });
    const ofId = lookalikeWarnings({ hasLookalike: lookalikes.some((found) => found !== null) }, 'external_id');
    return { item, warnings: [...ofId, ...request.warnings] };
  };
  const written = await writeItem(dependencies, scope, {
    ...push,
    find: () => items.findCurrent(accountId, externalId),
    decide: async (found) => {
      const isToPublish = asksToPublish(found, request);
      const [decided, connection = 'connected'] = await Promise.all([
        found === null ? create() : decideUpdate(found, request, { now: now(), actor }),
        isToPublish ? connectionOf?.(accountId) : undefined,
      ]);
      return {
        ...decided,
        warnings: [...decided.warnings, ...(isToPublish ? publicationWarnings(push, connection) : [])],
      };
    },
  });
  return resultOf(written);
}

/**
 * The result of a push on an existing item, and its warnings; shared by single pushes and batches. Throws {@link Refusal}
 * VALIDATION_FAILED when what the push keeps of the item does not fit the rest of it.
 */
export function decideUpdate(
  found: Item,
  sent: ItemRequest,
  change: { readonly now: Date; readonly actor: Actor },
): WriteDecision {
  const request = withKept(found, sent);
  const item = updateItem(found, request, change);
  const warnings = [
    ...request.warnings,
    ...(isHeldPrice(found, request.content.priceOre) ? [problem('price', 'price_held')] : []),
    ...soldSinceWarnings(found, request.content.quantity),
    ...pendingWarnings(found, item),
    ...givenUpWarnings(found),
  ];
  return { item, warnings };
}

/** Warns of sales that the caller may not have known when it counted. */
function soldSinceWarnings(
  { content: { quantity: told }, quantityLeft: left }: Item,
  counts: number | null,
): FieldProblem[] {
  if (counts === null || counts === told || left === null || told === null) return [];
  const sold = told - left;
  return sold > 0 ? [problem('quantity', 'sold_since', { sold, told, left, counts })] : [];
}
