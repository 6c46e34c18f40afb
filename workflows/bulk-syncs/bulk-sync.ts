import { continueAsNew, proxyActivities, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { BulkActivities } from '../../activities/activities.ts';
import type { AccountId } from '../../features/rules/ids.ts';
import { bulkPriorityKey, type BulkSyncInput } from '../contracts/workflows.ts';
import { createAttempts, failed, listen, type Step } from '../attempt-step.ts';
import { createVisibility } from '../visibility.ts';
import { stageKey, type Stage } from '../contracts/search-attributes.ts';

/**
 * From the third try on the lines of a chunk are applied one by one. Operators see what still fails after the last try.
 */
const severalTimes = { retry: { initialInterval: '250 milliseconds', maximumAttempts: 5 } } as const;

const { planBulk, endBulk } = proxyActivities<BulkActivities>({
  ...severalTimes,
  startToCloseTimeout: '60 seconds',
  summary: 'whose lines are left; the end of the bulk sync',
});

/** Chunks of one bulk sync that are applied at once, each of another account. */
const lanesMax = 4;

/**
 * Applies an accepted upload chunk by chunk, with the accounts taking turns. The database holds the remaining work, so the
 * workflow may be restarted at any time. A cancellation needs no signal, because the next chunk sees it.
 */
export async function bulkSync(input: BulkSyncInput): Promise<void> {
  setStage('applying');
  const asked = listen();
  const shown = createVisibility('applying');
  const attempt = createAttempts(shown, asked);
  for (;;) {
    const accounts = await attempt(step('plan', 'Finding the lines that are left.'), () => planBulk(input.bulkId));
    if (accounts !== failed && accounts.length === 0) break;
    if (accounts !== failed) await workThrough(input, accounts, () => createAttempts(shown, asked));
    if (workflowInfo().continueAsNewSuggested) {
      // Search attributes carry over to the next run, which would not know that it must clear them.
      shown.clear();
      await continueAsNew<typeof bulkSync>(input);
    }
  }
  setStage('ending');
  let end: unknown = failed;
  while (end === failed)
    end = await attempt(step('end', 'Counting what became of the lines.'), () => endBulk(input.bulkId));
}

/** The engine has already repeated a failed step, so its first failure is shown. */
const step = (kind: string, says: string): Step => ({ kind, says, failuresUntilShown: 1 });

/**
 * Runs until the accounts have no chunks left, the bulk sync is cancelled, or the history is long enough. No chunk is under way
 * when it returns.
 */
async function workThrough(
  { bulkId }: BulkSyncInput,
  accounts: readonly AccountId[],
  newAttempts: () => ReturnType<typeof createAttempts>,
): Promise<void> {
  const waiting = [...accounts];
  let isStopped = false;
  let progress = 'Applying the first lines.';
  const lane = async (): Promise<void> => {
    const attempt = newAttempts();
    while (!isStopped && !workflowInfo().continueAsNewSuggested) {
      const accountId = waiting.shift();
      if (accountId === undefined) return;
      const done = await attempt(step('apply-chunk', progress), () =>
        applierFor(accountId).applyChunk({ bulkId, accountId }),
      );
      if (done !== failed && done.progress !== '') progress = done.progress;
      if (done === failed || done.kind === 'applied') waiting.push(accountId);
      if (done !== failed && done.kind === 'stopped') isStopped = true;
    }
  };
  await Promise.all(Array.from({ length: lanesMax }, lane));
}

/** Accounts share the workers evenly, so an account with many lines does not delay one with few. */
const applierFor = (accountId: AccountId) =>
  proxyActivities<BulkActivities>({
    ...severalTimes,
    startToCloseTimeout: '60 seconds',
    heartbeatTimeout: '10 seconds',
    summary: `lines of account ${accountId}`,
    priority: { priorityKey: bulkPriorityKey, fairnessKey: accountId },
  });

const setStage = (stage: Stage): void => upsertSearchAttributes([{ key: stageKey, value: stage }]);
