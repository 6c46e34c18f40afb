import pLimit from 'p-limit';
import type { ItemId } from '../../core/ids.ts';
import { theOperator } from '../../core/items/journal.ts';
import { engineOnlyReasons, engineReasons } from '../../core/operations/reasons.ts';
import type { BlockedWorkflow } from '../../gateways/orchestrator/operations-port.ts';
import { OrchestratorUnavailable } from '../../gateways/orchestrator/port.ts';
import { createItemStore } from '../../store/items/items.ts';
import {
  countStuckItems,
  listStuckItems,
  type StuckItem,
  type StuckPosition,
  type StuckQuery,
} from '../../store/operations/stuck-rows.ts';
import { retryItemById, type RetryOutcome } from '../items/retry-item.ts';
import { findAccountMeant, type AccountWish } from './find-account.ts';
import type { OperationsContext } from './operations-context.ts';

export type { StuckPosition } from '../../store/operations/stuck-rows.ts';

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
  const query = await queryOf(context, wish);
  const [[found], runs] = await Promise.all([countStuckItems(context.store, query), runsToRetry(context, query)]);
  return (found?.count ?? 0) + runs.length;
}

/** A list of the engine has so many runs at most; what is more is retried by the next call. */
const runsMax = 1_000;

/** Runs that no stored row shows: they pause after a failure, or show a receiver in trouble. */
async function runsToRetry(
  { engine }: OperationsContext,
  { reasons: [reason = ''], account }: Awaited<ReturnType<typeof queryOf>>,
): Promise<readonly BlockedWorkflow[]> {
  if (!engineReasons.includes(reason)) return [];
  const runs = await unlessAway(engine.listBlocked({ reason, account, limit: runsMax }), []);
  return runs.filter(({ stage }) => stage === 'failing' || engineOnlyReasons.includes(reason));
}

async function unlessAway<Result>(work: Promise<Result>, instead: Result): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof OrchestratorUnavailable) return instead;
    throw error;
  }
}

const rowsAtOnce = 200;
/** Small, so parallel writers of items are not held up. */
const writesAtOnce = 8;

/**
 * Retries all that is blocked for one reason: first the runs that only the engine knows, then items, the longest waiting first. It
 * reports its position after each page of items. It ends early
 * when `signal` is aborted. The rest is retried by the same wish with the last position as `after`.
 */
export async function retryStuck(
  context: OperationsContext,
  wish: BulkRetryWish,
  { signal, onPage }: { signal?: AbortSignal; onPage?: (counts: RetryCounts, position: StuckPosition) => void } = {},
): Promise<RetryCounts> {
  const query = await queryOf(context, wish);
  let counts = await retryRuns(context, query);
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

/** Sends `retry` to runs, as an operator can in the Temporal UI. */
async function retryRuns(context: OperationsContext, query: Awaited<ReturnType<typeof queryOf>>): Promise<RetryCounts> {
  const limit = pLimit(writesAtOnce);
  const runs = await runsToRetry(context, query);
  const told = await Promise.all(runs.map(({ workflowId }) => limit(() => context.engine.retry(workflowId))));
  const retried = told.filter(Boolean).length;
  return { ...noRetries, retried, nothingToRetry: told.length - retried };
}

/** One item. A run of it that pauses after a failure ends its pause, too. */
export async function retryOne(context: OperationsContext, id: ItemId): Promise<RetryCounts> {
  const { engine } = context;
  const counts = await retryItems(context, [id]);
  const run = await unlessAway(engine.describeItem(id), null);
  const isPausing = run?.status === 'RUNNING' && run.stage === 'failing';
  const isHurried = isPausing && (await unlessAway(engine.retry(run.workflowId), false));
  return isHurried ? { ...noRetries, retried: 1 } : counts;
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
