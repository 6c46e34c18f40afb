import type { ItemRequest } from '../../core/items/item-content.ts';
import { actorOf } from '../../core/items/journal.ts';
import { createItem } from '../../core/items/upsert-item.ts';
import type { Scope } from '../../core/scope.ts';
import type { Context } from '../context.ts';
import { asksToPublish, connectionWarnings } from './connection-warnings.ts';
import { decideUpdate } from './decide-upsert.ts';
import { resultOf, writeItem, type WriteDependencies, type WriteResult, type WriteTarget } from './write-item.ts';

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
 * Accepts a push of an ERP. An external id stands for its current item alone: after a DELETE the same id begins with a new item.
 * Its events are numbered on from those of the old one. Throws as {@link writeItem}, and Refusal QUOTA_EXCEEDED.
 */
export async function upsertItem(dependencies: UpsertDependencies, scope: Scope, push: ItemPush): Promise<WriteResult> {
  const { items, newItemId, connectionOf, takeRoom, now } = dependencies;
  const { externalId, request } = push;
  const { accountId } = scope;
  const actor = actorOf(scope);
  const create = async () => {
    const room = await takeRoom?.(accountId, 1);
    if (room?.granted === 0) throw room.refusal;
    const predecessor = await items.findPredecessor(accountId, externalId);
    const sequenceBefore = predecessor?.sequence ?? 0;
    return createItem({ id: newItemId(), accountId, externalId, request, sequenceBefore, actor, now: now() });
  };
  const written = await writeItem(dependencies, scope, {
    ...push,
    find: () => items.findCurrent(accountId, externalId),
    decide: async (found) => {
      const isToPublish = asksToPublish(found, request);
      const [decided, connection = 'connected'] = await Promise.all([
        found === null
          ? create().then((item) => ({ item, warnings: request.warnings }))
          : decideUpdate(found, request, { now: now(), actor }),
        isToPublish ? connectionOf?.(accountId) : undefined,
      ]);
      return { ...decided, warnings: [...decided.warnings, ...connectionWarnings(isToPublish, connection)] };
    },
  });
  return resultOf(written);
}
