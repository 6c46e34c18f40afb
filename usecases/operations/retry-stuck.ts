import pLimit from 'p-limit';
import type { ItemId } from '../../core/ids.ts';
import type { Item } from '../../core/items/item.ts';
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
  /** Went on by themselves meanwhile, or can't be helped by another try. */
  readonly nothingToRetry: number;
  readonly gone: number;
  /** The database refused; they are as they were. */
  readonly failed: number;
}

export const noRetries: RetryCounts = { retried: 0, nothingToRetry: 0, gone: 0, failed: 0 };

export interface BulkRetryWish extends AccountWish {
  readonly reason: string;
  /** Only those in trouble by then: who gets into trouble again is not tried twice. */
  readonly before: Date;
  /** How far a run came that broke off: with the same `before`, it goes on behind it. */
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
/** Few: whoever writes items at the same time must not be held up, and the engine starts some dozens a second. */
const writesAtOnce = 8;

/**
 * Tries all items again that stand still for one reason, the longest waiting first. After each page it says how far it came; it
 * ends early when `signal` is aborted, and what is left is found by the same wish with the last position as `after`.
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

/** `isBacklog`: they are many, so other work goes first. */
export async function retryItems(
  { store, orchestrator, now }: OperationsContext,
  ids: readonly ItemId[],
  { isBacklog = false }: { isBacklog?: boolean } = {},
): Promise<RetryCounts> {
  const nudges: Promise<void>[] = [];
  const nudge = ({ id, accountId, externalId }: Item): void => {
    const nudged = { itemId: id, accountId, externalId, ...(isBacklog && { isBacklog: true as const }) };
    // A hint: the sweep makes good for a lost one.
    nudges.push(orchestrator.nudgeItem(nudged).catch(() => undefined));
  };
  const items = createItemStore(store);
  const limit = pLimit(writesAtOnce);
  const outcomes = await Promise.allSettled(
    ids.map((id) => limit(() => retryItemById({ items, nudge, now }, id, theOperator))),
  );
  await Promise.all(nudges);
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
