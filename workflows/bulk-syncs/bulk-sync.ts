import {
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { BulkActivities } from '../../activities/bulk-activities.ts';
import type { AccountId } from '../../core/ids.ts';
import { bulkPriorityKey, type BulkSyncInput } from '../contracts/bulk-syncs.ts';
import { stageKey, type Stage } from '../contracts/search-attributes.ts';

const patiently = { retry: { initialInterval: '250 milliseconds', maximumInterval: '5 seconds' } } as const;

const { planBulk, endBulk } = proxyActivities<BulkActivities>({ ...patiently, startToCloseTimeout: '60 seconds' });

/** Chunks of one bulk sync that are applied at once, each of another account. */
const lanesMax = 4;

/**
 * Applies an accepted upload chunk by chunk, with the accounts taking turns. The database holds the remaining work, so the
 * workflow may be restarted at any time. A cancellation needs no signal, because the next chunk sees it.
 */
export async function bulkSync(input: BulkSyncInput): Promise<void> {
  setStage('applying');
  for (;;) {
    const accounts = await planBulk(input.bulkId);
    if (accounts.length === 0) break;
    await workThrough(input, accounts);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof bulkSync>(input);
  }
  setStage('ending');
  await endBulk(input.bulkId);
}

/**
 * Runs until the accounts have no chunks left, the bulk sync is cancelled, or the history is long enough. No chunk is under way
 * when it returns.
 */
async function workThrough({ bulkId }: BulkSyncInput, accounts: readonly AccountId[]): Promise<void> {
  const waiting = [...accounts];
  let isStopped = false;
  const lane = async (): Promise<void> => {
    while (!isStopped && !workflowInfo().continueAsNewSuggested) {
      const accountId = waiting.shift();
      if (accountId === undefined) return;
      const step = await applierFor(accountId).applyChunk({ bulkId, accountId });
      if (step.progress !== '') setCurrentDetails(step.progress);
      if (step.kind === 'applied') waiting.push(accountId);
      if (step.kind === 'stopped') isStopped = true;
    }
  };
  await Promise.all(Array.from({ length: lanesMax }, lane));
}

/** Accounts share the workers evenly, so an account with many lines does not delay one with few. */
const applierFor = (accountId: AccountId) =>
  proxyActivities<BulkActivities>({
    ...patiently,
    startToCloseTimeout: '60 seconds',
    heartbeatTimeout: '10 seconds',
    priority: { priorityKey: bulkPriorityKey, fairnessKey: accountId },
  });

const setStage = (stage: Stage): void => upsertSearchAttributes([{ key: stageKey, value: stage }]);
