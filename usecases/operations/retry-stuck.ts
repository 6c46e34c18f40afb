import pLimit from 'p-limit';
import type { ItemId } from '../../core/ids.ts';
import { theOperator } from '../../core/items/journal.ts';
import { createItemStore } from '../../store/items/items.ts';
import {
  countStuckItems,
  listStuckItems,
  type StuckItem,
  type StuckPosition,
  type StuckQuery,
} from '../../store/operations/stuck-items.ts';
import { retryItemById, type RetryOutcome } from '../items/retry-item.ts';
import { findAccountMeant, type AccountWish } from './find-account.ts';
import type { OperationsContext } from './operations-context.ts';

export type { StuckPosition } from '../../store/operations/stuck-items.ts';

export interface RetryCounts {
  readonly retried: number;
  /** Items that went on meanwhile, or that a retry does not help. */
  readonly nothingToRetry: number;
  readonly gone: number;
  /** The database refused; they are as they were. */
  readonly failed: number;
}

export const noRetries: RetryCounts = { retried: 0, nothingToRetry: 0, gone: 0, failed: 0 };

export interface BulkRetryWish extends AccountWish {
  readonly reason: string;
  /** Only items blocked before this time, so an item that is blocked again is not retried twice. */
  readonly before: Date;
  /** Position of an interrupted run; with the same `before`, the run continues after it. */
  readonly after?: StuckPosition | undefined;
}

const queryOf = async (
  { store }: OperationsContext,
  wish: BulkRetryWish,
): Promise<StuckQuery & { reasons: string[] }> => {
  const account = await findAccountMeant(store, wish);
  const { reason, before, after = null } = wish;
  return { reasons: [reason], before, after, ...(account !== undefined && { account }) };
};

/** How many {@link retryStuck} would try. Throws Refusal as findAccountMeant does. */
export async function countRetries(context: OperationsContext, wish: BulkRetryWish): Promise<number> {
  const [found] = await countStuckItems(context.store, await queryOf(context, wish));
  return found?.count ?? 0;
}

const rowsAtOnce = 200;
/** Small, so parallel writers of items are not held up. */
const writesAtOnce = 8;

/**
 * Retries all items blocked for one reason, the longest waiting first, and reports its position after each page. It ends early
 * when `signal` is aborted. The rest is retried by the same wish with the last position as `after`.
 */
export async function retryStuck(
  context: OperationsContext,
  wish: BulkRetryWish,
  { signal, onPage }: { signal?: AbortSignal; onPage?: (counts: RetryCounts, position: StuckPosition) => void } = {},
): Promise<RetryCounts> {
  const query = await queryOf(context, wish);
  let counts = noRetries;
  let after: StuckPosition | null = query.after ?? null;
  while (signal?.aborted !== true) {
    const page: StuckItem[] = await listStuckItems(context.store, { ...query, after }, { limit: rowsAtOnce });
    const last = page.at(-1);
    if (last === undefined) break;
    const ids = page.map(({ itemId }) => itemId);
    counts = add(counts, await retryItems(context, ids, { isBacklog: true }));
    onPage?.(counts, last);
    after = last;
  }
  return counts;
}

/** `isBacklog`: for many items, so that other work goes first. */
export async function retryItems(
  { store, ring, now }: OperationsContext,
  ids: readonly ItemId[],
  { isBacklog = false }: { isBacklog?: boolean } = {},
): Promise<RetryCounts> {
  const items = createItemStore(store);
  const limit = pLimit(writesAtOnce);
  const outcomes = await Promise.allSettled(
    ids.map((id) => limit(() => retryItemById({ items, ring, now }, id, { actor: theOperator, isBacklog }))),
  );
  return outcomes.reduce((counts, outcome) => add(counts, countOf(outcome)), noRetries);
}

const countOf = (outcome: PromiseSettledResult<RetryOutcome>): RetryCounts => {
  if (outcome.status === 'rejected') return { ...noRetries, failed: 1 };
  switch (outcome.value) {
    case 'retried':
      return { ...noRetries, retried: 1 };
    case 'nothing_to_retry':
      return { ...noRetries, nothingToRetry: 1 };
    case 'gone':
      return { ...noRetries, gone: 1 };
  }
};

const add = (one: RetryCounts, other: RetryCounts): RetryCounts => ({
  retried: one.retried + other.retried,
  nothingToRetry: one.nothingToRetry + other.nothingToRetry,
  gone: one.gone + other.gone,
  failed: one.failed + other.failed,
});
