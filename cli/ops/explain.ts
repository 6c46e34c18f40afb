import { Command } from 'commander';
import { plainTime, plainWords } from '../../features/operations/rules/explain-wait.ts';
import type { ItemExplanation } from '../../features/operations/explain-item.ts';
import {
  addAccountOptions,
  addOperationsOptions,
  withOperations,
  type AccountOptions,
  type OperationsOptions,
} from './open-operations.ts';

/** `itembridge ops explain ITEM`. */
export const explainCommand = addOperationsOptions(addAccountOptions(new Command('explain')))
  .description('what became of one item, why it stands still, and what to do')
  .argument('<item>', 'UUID of the item, or its external id')
  .action(explain);

async function explain(
  item: string,
  { account, member, ...options }: OperationsOptions & AccountOptions,
): Promise<void> {
  const explained = await withOperations(options, (operations) => operations.explainItem(item, { account, member }));
  console.log(options.json ? JSON.stringify(explained, undefined, 2) : describeExplanation(explained));
}

/** The explanation of an item as lines for a terminal. */
export function describeExplanation(item: ItemExplanation): string {
  const { explanation, blocked, failedImages, timeline } = item;
  const member = item.member === null ? '' : `, member ${plainWords(item.member)}`;
  return [
    `${plainWords(item.externalId)} (item ${item.itemId}, account ${item.accountId}${member})`,
    `  service ${item.serviceStatus}${item.isDeleted ? ' (deleted)' : ''}, marketplace ${item.marketplaceStatus}, ${item.isAtRest ? 'nothing is owed' : 'work is owed'}`,
    `  ${describeWorkflow(item.workflow)}`,
    '',
    plainMarkdown(explanation),
    ...(blocked === null ? [] : [`- Runbook: docs/operations.md#${blocked.runbook}`]),
    ...list(
      'Images that failed',
      failedImages.map(({ url, reason }) => `${url}: ${plainWords(reason)}`),
    ),
    ...list(
      'History, newest first',
      timeline.map(({ at, actor, message }) => `${plainTime(new Date(at))}  ${actor}: ${plainWords(message)}`),
    ),
  ].join('\n');
}

const list = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];

const plainMarkdown = (text: string): string => text.replaceAll('**', '').replaceAll('`', '');

function describeWorkflow(workflow: ItemExplanation['workflow']): string {
  if (workflow === null) return 'no workflow (what the worker settles by itself has none)';
  if (!('steps' in workflow)) return `workflow unknown: ${workflow.message}`;
  const steps = workflow.steps.map(
    ({ name, attempt, isStarted, lastFailure }) =>
      `${name} ${isStarted ? 'runs' : 'waits for a worker'}, attempt ${attempt}${lastFailure === null ? '' : ` (${plainWords(lastFailure)})`}`,
  );
  const stage = workflow.stage === null ? '' : `, stage ${workflow.stage}`;
  return [`workflow ${workflow.workflowId} ${workflow.status.toLowerCase()}${stage}`, ...steps].join('; ');
}
