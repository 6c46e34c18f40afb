import { readFileSync } from 'node:fs';
import { createTemporalOperations } from '../../../gateways/orchestrator/temporal-operations.ts';
import type { OperationsContext } from '../../../features/operations/find-account.ts';
import type { TestAccount, World } from '../../support/world.ts';

/** What `itembridge ops` works with, on the test's own system. */
export const operationsOf = ({ foundation, context }: Pick<World, 'foundation' | 'context'>): OperationsContext => ({
  store: foundation.store,
  engine: createTemporalOperations(foundation.client, foundation.config.temporal.taskQueue),
  hints: context.hints,
  now: foundation.now,
  operator: 'Kim',
});

const page = readFileSync('docs/operations.md', 'utf8');

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .trim()
    .replaceAll(' ', '-');

/** The lists that a runbook of docs/operations.md says to paste, in their order. */
export function queriesOf(runbook: string): string[] {
  const section = page.split(/^##? /m).find((text) => anchorOf(text.split('\n')[0] ?? '') === runbook);
  if (section === undefined) throw new Error(`there is no runbook #${runbook}`);
  return [...section.matchAll(/```sql\n([^`]+)```/g)].map(([, query]) => (query ?? '').trim());
}

/** Workflow ids that a list shows of an account. */
export async function listed(world: Pick<World, 'foundation'>, query: string, account: TestAccount): Promise<string[]> {
  const found = new Set<string>();
  const narrowed = `${query} AND AccountId = '${account.id}'`;
  for await (const { workflowId } of world.foundation.client.workflow.list({ query: narrowed })) found.add(workflowId);
  return [...found].sort();
}

/** What an operator reads in the UI's first tab. */
export async function currentDetails({ foundation }: Pick<World, 'foundation'>, workflowId: string): Promise<string> {
  const handle = foundation.client.workflow.getHandle(workflowId);
  const { currentDetails: details } = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return details ?? '';
}
