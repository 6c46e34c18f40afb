import pLimit from 'p-limit';
import { Refusal } from '../rules/errors.ts';
import { deliveryId } from '../rules/ids.ts';
import type { ItemKey } from '../items/rules/item.ts';
import { operatorCalled } from '../items/rules/journal.ts';
import { engineReasons, receiverReasons } from './rules/reasons.ts';
import type { Scope } from '../rules/scope.ts';
import { keptMs } from '../webhooks/rules/recovery.ts';
import { OrchestratorUnavailable } from '../../gateways/orchestrator/port.ts';
import { createItemStore } from '../items/store/items.ts';
import {
  countStuckItems,
  dangerouslyFindDelivery,
  listStuckItems,
  type StuckItem,
  type StuckPosition,
  type StuckQuery,
} from './store/stuck-rows.ts';
import { endpointOfTarget } from '../webhooks/rules/delivery.ts';
import type { TargetKey } from '../webhooks/store/waiting-deliveries.ts';
import { findReceiver, type TargetName } from '../webhooks/store/receiver-state.ts';
import { findEndpoint } from '../webhooks/store/webhook-endpoints.ts';
import type { Context } from '../context.ts';
import { retryItemById, type RetryOutcome } from '../items/publish-item.ts';
import { recoverTarget } from '../webhooks/recover-target.ts';
import { describeTrouble } from '../webhooks/look-at-receiver.ts';
import { changeWebhook } from '../webhooks/manage-webhooks.ts';
import { redeliver, type MadeDelivery } from '../webhooks/webhook-deliveries.ts';
import { listReceivers } from './find-stuck.ts';
import { findAccountMeant, type AccountWish, type OperationsContext } from './find-account.ts';

export interface RetryCounts {
  readonly retried: number;
  /** Items that continued meanwhile, or that a retry can't help. */
  readonly nothingToRetry: number;
  readonly gone: number;
  /** The database refused the write, so they are unchanged. */
  readonly failed: number;
}

export const noRetries: RetryCounts = { retried: 0, nothingToRetry: 0, gone: 0, failed: 0 };

export interface BulkRetryWish extends AccountWish {
  readonly reason: string;
}

/** Only what is blocked by now, so an item that is blocked again is not retried twice. */
async function queryOf(
  { store, now }: OperationsContext,
  wish: BulkRetryWish,
): Promise<StuckQuery & { reasons: string[] }> {
  const account = await findAccountMeant(store, wish);
  return { reasons: [wish.reason], before: now(), ...(account !== undefined && { account }) };
}

/** How many {@link retryStuck} would try. Throws Refusal as findAccountMeant does. */
export async function countRetries(context: OperationsContext, wish: BulkRetryWish): Promise<number> {
  const query = await queryOf(context, wish);
  const [[found], runs] = await Promise.all([countStuckItems(context.store, query), retriesOfRuns(context, query)]);
  return (found?.count ?? 0) + runs.length;
}

/** At most this many runs are retried; the next call retries further ones. */
const runsMax = 1_000;

/** The signals for runs that no item's row shows: of receivers in trouble, or pausing after a failure. */
async function retriesOfRuns(
  context: OperationsContext,
  { reasons: [reason = ''], account, before }: Awaited<ReturnType<typeof queryOf>>,
): Promise<readonly (() => Promise<boolean>)[]> {
  const { engine } = context;
  if (receiverReasons.includes(reason)) {
    const receivers = await listReceivers(context, { reason, account, before, limit: runsMax });
    return receivers.map(
      ({ target }) =>
        () =>
          engine.retryReceiver(target),
    );
  }
  if (!engineReasons.includes(reason)) return [];
  const runs = await unlessAway(engine.listBlocked({ reason, account, limit: runsMax }), []);
  return runs
    .filter(({ stage }) => stage === 'failing')
    .map(
      ({ workflowId }) =>
        () =>
          engine.retry(workflowId),
    );
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
 * Retries all that is blocked for one reason: first runs that no item shows, then items, the longest waiting first. It
 * reports its counts after each page of items, and ends early when `signal` is aborted.
 */
export async function retryStuck(
  context: OperationsContext,
  wish: BulkRetryWish,
  { signal, onPage }: { signal?: AbortSignal; onPage?: (counts: RetryCounts) => void } = {},
): Promise<RetryCounts> {
  const query = await queryOf(context, wish);
  let counts = await retryRuns(context, query);
  let after: StuckPosition | null = null;
  while (signal?.aborted !== true) {
    const page: StuckItem[] = await listStuckItems(context.store, { ...query, after }, { limit: rowsAtOnce });
    const last = page.at(-1);
    if (last === undefined) break;
    const keys = page.map(({ accountId, itemId: id }) => ({ accountId, id }));
    counts = add(counts, await retryItems(context, keys, { isBacklog: true }));
    onPage?.(counts);
    after = last;
  }
  return counts;
}

/** Sends `retry` to runs, as an operator can in the Temporal UI. */
async function retryRuns(context: OperationsContext, query: Awaited<ReturnType<typeof queryOf>>): Promise<RetryCounts> {
  const limit = pLimit(writesAtOnce);
  const told = await Promise.all((await retriesOfRuns(context, query)).map((signal) => limit(signal)));
  const retried = told.filter(Boolean).length;
  return { ...noRetries, retried, nothingToRetry: told.length - retried };
}

/** Retries one item. If its run pauses after a failure, the pause ends. */
export async function retryOne(context: OperationsContext, key: ItemKey): Promise<RetryCounts> {
  const { engine } = context;
  const counts = await retryItems(context, [key]);
  const run = await unlessAway(engine.describeItem(key.id), null);
  const isPausing = run?.status === 'RUNNING' && run.stage === 'failing';
  const isHurried = isPausing && (await unlessAway(engine.retry(run.workflowId), false));
  return isHurried ? { ...noRetries, retried: 1 } : counts;
}

/** `isBacklog`: for many items, so that other work goes first. */
export async function retryItems(
  { store, now, operator }: OperationsContext,
  keys: readonly ItemKey[],
  { isBacklog = false }: { isBacklog?: boolean } = {},
): Promise<RetryCounts> {
  const items = createItemStore(store);
  const limit = pLimit(writesAtOnce);
  const actor = operatorCalled(operator);
  const outcomes = await Promise.allSettled(
    keys.map((key) => limit(() => retryItemById({ items, now }, key, { actor, isBacklog }))),
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

/**
 * Sends one event again, as its owner can on the dashboard. The owner's log names the operator as the actor. Throws
 * Refusal as redeliver.
 */
export async function retryDelivery(
  { store, hints, now, operator }: OperationsContext,
  id: string,
): Promise<MadeDelivery> {
  const delivery = await dangerouslyFindDelivery(store, deliveryId(id));
  if (delivery === null) throw new Refusal('NOT_FOUND', 'No webhook delivery with this id');
  const { accountId } = delivery;
  const confirmCredential = (): Promise<void> => Promise.resolve();
  const scope = { accountId, actingAccountId: accountId, credential: { kind: 'operator', name: operator } } as const;
  return redeliver({ store, hints, confirmCredential, now }, scope, delivery._id);
}

export type ReceiverRetryContext = Pick<
  Context,
  'store' | 'hints' | 'addressPolicy' | 'confirmCredential' | 'now' | 'newId'
>;

/**
 * For the operator: retries a webhook target in trouble. An endpoint that the service disabled is enabled, and a
 * recovery sends what it missed; the owner's log has both with `operator` as the actor. `nothing_to_retry`: its owner
 * disabled it, a recovery runs already, or nothing was missed. `gone`: it is no longer in trouble.
 */
export async function retryReceiver(
  context: ReceiverRetryContext,
  { target, accountId }: TargetKey,
): Promise<RetryOutcome> {
  const name = { target, accountId, endpointId: endpointOfTarget(target, accountId) };
  const troubleSince = (await findReceiver(context.store, name))?.troubleSince ?? null;
  const trouble = troubleSince && (await describeTrouble(context, { ...name, troubleSince }));
  if (trouble === null) return 'gone';
  const isEnabled = trouble.reason === 'endpoint_disabled' && (await enable(context, name));
  if (trouble.reason === 'endpoint_disabled' && !isEnabled) return 'nothing_to_retry';
  const isRecovered = trouble.missed > 0 && (await recover(context, name));
  return isEnabled || isRecovered ? 'retried' : 'nothing_to_retry';
}

const scopeOf = ({ accountId }: TargetName): Scope => ({
  accountId,
  actingAccountId: accountId,
  credential: { kind: 'operator' },
});

/** An endpoint that its owner disabled stays as it is. */
async function enable(context: ReceiverRetryContext, row: TargetName): Promise<boolean> {
  const { accountId, endpointId } = row;
  if (endpointId === null) return false;
  const endpoint = await findEndpoint(context.store, accountId, endpointId);
  if (endpoint === null || endpoint.disabledReason === null) return false;
  await changeWebhook(context, scopeOf(row), { endpointId, change: { active: true } });
  return true;
}

/** False while a recovery runs. */
async function recover(context: ReceiverRetryContext, row: TargetName): Promise<boolean> {
  const since = new Date(context.now().getTime() - keptMs);
  try {
    await recoverTarget(context, scopeOf(row), { endpointId: row.endpointId, since });
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
