import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import { blockedReasons, receiverReasons } from '../../features/operations/rules/reasons.ts';
import type { Operations } from '../../compose/operations.ts';
import type { BulkRetryWish, RetryCounts } from '../../features/operations/retry-stuck.ts';
import { counted } from '../../features/rules/counted.ts';
import { addOperatorOption } from '../operator.ts';
import { exitCodes, Interrupted, untilInterrupted, UsageError } from '../exit-codes.ts';
import {
  addAccountOptions,
  addOperationsOptions,
  withOperations,
  type AccountOptions,
  type OperationsOptions,
} from './open-operations.ts';

interface RetryOptions extends OperationsOptions, AccountOptions {
  readonly reason?: string;
  readonly delivery?: string;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/**
 * `itembridge ops retry`. Exit code 0 when everything was retried, 1 when something could not be, 130 when it was interrupted.
 */
export const retryCommand = addOperatorOption(addOperationsOptions(addAccountOptions(new Command('retry'))))
  .description('try again now: items, everything that waits for one reason, or a webhook delivery')
  .argument('[items...]', 'UUIDs or external ids of items')
  .option('--reason <reason>', 'everything that stands still for this reason; the number is shown first')
  .option('--delivery <id>', 'send the event of this delivery once more')
  .option('--dry-run', 'only show the number', false)
  .option('--yes', 'do not ask', false)
  .action(retry);

async function retry(items: readonly string[], options: RetryOptions): Promise<void> {
  const ways = [items.length > 0, options.reason !== undefined, options.delivery !== undefined];
  if (ways.filter(Boolean).length !== 1)
    throw new UsageError('Say what to try again: items, --reason or --delivery, one of them.');
  await withOperations(options, async (operations) => {
    if (options.delivery !== undefined) await retryDelivery(operations, options.delivery, options);
    else if (options.reason !== undefined) await retryReason(operations, options.reason, options);
    else await retryItems(operations, items, options);
  });
}

async function retryDelivery(operations: Operations, id: string, options: RetryOptions): Promise<void> {
  if (options.dryRun) {
    console.log('1 delivery would be made again.');
    return;
  }
  const made = await operations.retryDelivery(id);
  console.log(options.json ? JSON.stringify(made) : `Sent again as delivery ${made.deliveryId}.`);
}

async function retryItems(
  operations: Operations,
  items: readonly string[],
  { account, member, dryRun, json }: RetryOptions,
): Promise<void> {
  const results: { item: string; outcome: string }[] = [];
  for (const item of items) {
    if (dryRun) await operations.explainItem(item, { account, member });
    const counts = dryRun ? undefined : await operations.retryOne(item, { account, member });
    results.push({ item, outcome: counts === undefined ? 'would be tried again' : outcomeOf(counts) });
  }
  if (json) console.log(JSON.stringify(results));
  else for (const { item, outcome } of results) console.log(`${item}: ${outcome}`);
  if (!dryRun && results.some(({ outcome }) => outcome !== triedAgain)) process.exitCode = exitCodes.someFailed;
}

const triedAgain = 'tried again';

function outcomeOf({ retried, gone, failed }: RetryCounts): string {
  if (retried > 0) return triedAgain;
  if (gone > 0) return 'gone';
  return failed > 0 ? 'failed: the database refused' : 'nothing to retry: nothing failed and nothing waits';
}

async function retryReason(operations: Operations, reason: string, options: RetryOptions): Promise<void> {
  const { account, member, json } = options;
  if (!blockedReasons.includes(reason))
    throw new UsageError(`There is no reason "${reason}": ${blockedReasons.join(', ')}.`);
  const wish: BulkRetryWish = { reason, account, member };
  const count = await operations.countRetries(wish);
  if (options.dryRun || count === 0) {
    console.log(json ? JSON.stringify({ count }) : `${whatOf(count, reason)}.`);
    return;
  }
  if (!(await isWanted(count, reason, options))) {
    console.log('Nothing was done.');
    return;
  }
  const counts = await untilInterrupted((signal) => retryAll(operations, wish, { signal, count, json }));
  if (json) console.log(JSON.stringify({ count, ...counts }));
  else console.log(describeCounts(counts));
  if (counts.failed > 0) process.exitCode = exitCodes.someFailed;
}

async function retryAll(
  operations: Operations,
  wish: BulkRetryWish,
  { signal, count, json }: { signal: AbortSignal; count: number; json: boolean },
): Promise<RetryCounts> {
  const onPage = (counts: RetryCounts): void => {
    if (!json) console.error(`${total(counts)} of ${count} …`);
  };
  const counts = await operations.retryStuck(wish, { signal, onPage });
  if (!signal.aborted) return counts;
  throw new Interrupted(`Stopped. ${describeCounts(counts)} The same command goes on with the rest.`);
}

const total = ({ retried, nothingToRetry, gone, failed }: RetryCounts): number =>
  retried + nothingToRetry + gone + failed;

const describeCounts = ({ retried, nothingToRetry, gone, failed }: RetryCounts): string =>
  `${retried} tried again, ${nothingToRetry} needed it no more, ${gone} gone, ${failed} failed.`;

function whatOf(count: number, reason: string): string {
  if (receiverReasons.includes(reason)) return counted(count, 'receiver');
  return counted(count, reason === 'failing_step' ? 'workflow' : 'item');
}

/** Throws {@link UsageError} without a terminal. */
async function isWanted(count: number, reason: string, { yes, account, member }: RetryOptions): Promise<boolean> {
  if (yes) return true;
  const of = account ?? member;
  const waits = count === 1 ? 'waits' : 'wait';
  const question = `${whatOf(count, reason)} ${waits} for ${reason}${of === undefined ? '' : ` (${of})`}. Try again now? [y/N] `;
  if (!process.stdin.isTTY) throw new UsageError(`${question.trim()} Nobody is there to ask: say --yes.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}
