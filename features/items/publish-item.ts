import { Refusal } from '../rules/errors.ts';
import type { Item, ItemKey } from './rules/item.ts';
import { theService, type Actor } from './rules/journal.ts';
import { inBulk } from './rules/owed-work.ts';
import { isPublishable, publishItem as withPublication, replaceRunning, whyNotReplaced } from './rules/publish-item.ts';
import { isDueAlready, retryItem as withRetry } from './rules/retry-item.ts';
import { limitWarnings } from '../listings/rules/marketplace-limits.ts';
import type { Scope } from '../rules/scope.ts';
import {
  changeExisting,
  rewriteItem,
  requireCurrent,
  resultOf,
  type WriteDependencies,
  type WriteResult,
  type WriteTarget,
} from './write-item.ts';

/**
 * Asks for the item's auction: the first one, the next one, or another try. Unchanged when the auction is up or on its way.
 * With `replacesRunning` an auction without bids that can't show the item's changes comes down, and the item goes up again with them.
 * Throws Refusal NOT_FOUND, CONFLICT for an item that is sold, archived or in an open order, or whose auction can't be replaced, and as
 * {@link writeItem}.
 */
export async function publishItem(
  dependencies: WriteDependencies,
  scope: Scope,
  target: WriteTarget & { readonly replacesRunning?: boolean },
): Promise<WriteResult> {
  const written = await changeExisting(dependencies, scope, {
    ...target,
    decide: (found, by) => {
      const item = requireCurrent(found, target.externalId);
      if (!isPublishable(item)) throw new Refusal('CONFLICT', whyNot(item));
      const warnings = limitWarnings(item.externalId, item.content);
      if (target.replacesRunning !== true) return { item: withPublication(item, by), warnings };
      const reason = whyNotReplaced(item);
      if (reason !== null) throw new Refusal('CONFLICT', notReplaced[reason]);
      return { item: replaceRunning(item, by), warnings };
    },
  });
  return resultOf(written);
}

const notReplaced = {
  bids: 'The auction has bids, so it runs to its end; the changes are kept for the next one',
  on_its_way: 'The auction is just being put up; try again when it is live',
} as const;

const whyNot = ({ serviceStatus, openOrderIds, quantityLeft }: Item): string => {
  if (quantityLeft === 0)
    return 'None of this item is left; PATCH …/quantity puts it on sale again when there are more';
  return openOrderIds.length > 0 && serviceStatus !== 'sold' && serviceStatus !== 'archived'
    ? 'An order of this item is in progress; it can be published again when the order is cancelled or completed'
    : `An item that is ${serviceStatus} can't be published`;
};

/**
 * Retries at once what failed, was given up or waits; `unchanged` when a retry is already due. Throws Refusal NOT_FOUND, CONFLICT
 * when there is nothing to retry, and as {@link writeItem}.
 */
export async function retryItem(
  dependencies: WriteDependencies,
  scope: Scope,
  target: WriteTarget,
): Promise<WriteResult> {
  const written = await changeExisting(dependencies, scope, {
    ...target,
    // A retry does not change the wanted content, so lines and snapshots that were accepted before still count.
    sparesBulks: true,
    decide: (item, by) => {
      const retried = withRetry(item, by);
      if (retried === item && !isDueAlready(item, by.now))
        throw new Refusal('CONFLICT', 'There is nothing to retry: nothing failed and nothing waits');
      return { item: retried, warnings: [] };
    },
  });
  return resultOf(written);
}

export type RetryOutcome = 'retried' | 'nothing_to_retry' | 'gone';

export interface RetryOptions {
  readonly actor?: Actor;
  /** One of many items: other work goes first. */
  readonly isBacklog?: boolean;
}

/** Like {@link retryItem}, for the operator of the service: any account's item, deleted ones too. */
export async function retryItemById(
  { items, now }: Pick<WriteDependencies, 'items' | 'now'>,
  key: ItemKey,
  { actor = theService, isBacklog = false }: RetryOptions = {},
): Promise<RetryOutcome> {
  const told = { isRetried: false };
  const stored = await rewriteItem(items, key, (item) => {
    const at = now();
    const retried = withRetry(item, { now: at, actor });
    told.isRetried = retried !== item || isDueAlready(item, at);
    return retried !== item && isBacklog ? inBulk(retried) : retried;
  });
  if (stored === null) return 'gone';
  if (!told.isRetried) return 'nothing_to_retry';
  return 'retried';
}
