import type { ExecutionContext } from 'ava';
import { textOfReason } from '../../../features/operations/rules/reasons.ts';
import { retrySignalName } from '../../../workflows/contracts/workflows.ts';
import { describeExplanation } from '../../../cli/ops/explain.ts';
import { describeReport } from '../../../cli/ops/stuck.ts';
import { explainItem } from '../../../features/operations/explain-item.ts';
import { findStuck } from '../../../features/operations/find-stuck.ts';
import { currentDetails, listed, operationsOf, queriesOf } from '../../cli/support/ops-world.ts';
import { until } from '../../support/until.ts';
import { writeEvidence } from '../../support/write-evidence.ts';
import type { TestAccount, World } from '../../support/world.ts';

export interface Row {
  readonly kind: string;
  readonly list: string;
  readonly foundMs: number;
  readonly sentence: string;
  readonly freedBy: string;
  readonly freedMs: number;
}

const rows: Row[] = [];

export const addRow = (row: Row): void => {
  rows.push(row);
};

/** One kind of trouble: how it is made, what an operator reads, and what ends it. */
export interface Kind {
  readonly kind: string;
  readonly reason: string;
  /** Of the last error, or of anything else that the details have to say. */
  readonly says: RegExp;
  readonly make: (account: TestAccount) => Promise<unknown>;
  /** Ends the cause; null where the retry is all that is needed. */
  readonly mend: ((account: TestAccount) => Promise<unknown>) | null;
  /** `retry`: the signal that an operator sends from the Temporal UI. Otherwise who or what ends it without one. */
  readonly freedBy: string;
}

/** The workflows that the list of all that is stuck has of an account. */
const stuckOf = (world: World, account: TestAccount): Promise<string[]> =>
  listed(world, "ExecutionStatus = 'Running' AND BlockedReason IS NOT NULL", account);

/** Makes the trouble and measures: until the list has it, what is read there, and until it has left the list again. */
export async function measure(
  t: ExecutionContext,
  world: World,
  { account, ...kind }: Kind & { account: TestAccount },
) {
  const madeAt = performance.now();
  await kind.make(account);
  const workflowId = await until(`${kind.kind} is listed`, async () => (await stuckOf(world, account))[0]);
  const foundMs = performance.now() - madeAt;
  const details = await until(`${kind.kind} is explained`, async () => {
    const text = await currentDetails(world, workflowId);
    return text.includes(`\`${kind.reason}\``) && kind.says.test(text) && text;
  });
  const { what, whatToDo } = textOfReason(kind.reason);
  t.true(details.includes(what) && details.includes(whatToDo), details);
  await untilOpsTell(world, { account, workflowId, reason: kind.reason });
  if (kind.freedBy === 'retry') await kind.mend?.(account);
  const freedAt = performance.now();
  if (kind.freedBy === 'retry') await world.foundation.client.workflow.getHandle(workflowId).signal(retrySignalName);
  else await kind.mend?.(account);
  await until(`${kind.kind} is over`, () => isWell(world, account));
  const sentence = details.split('\n').find((line) => line.includes(`\`${kind.reason}\``)) ?? '';
  const { freedBy } = kind;
  const row = { kind: kind.kind, list: 'everything', foundMs, sentence, freedBy, freedMs: performance.now() - freedAt };
  addRow(row);
  t.log(`found after ${seconds(foundMs)}, freed by ${freedBy} after ${seconds(row.freedMs)}`);
}

/** A list of its runbook has it, `ops stuck` reports it, and `ops explain` says the same of an item. */
async function untilOpsTell(
  world: World,
  { account, workflowId, reason }: { account: TestAccount; workflowId: string; reason: string },
): Promise<void> {
  const { runbook, what } = textOfReason(reason);
  const [type, id = ''] = workflowId.split(':');
  const operations = operationsOf(world);
  await until(`a list of #${runbook} has it`, async () => {
    const lists = await Promise.all(queriesOf(runbook).map((query) => listed(world, query, account)));
    return lists.flat().includes(workflowId);
  });
  await until('ops stuck reports it', async () =>
    describeReport(await findStuck(operations, { sinceMs: 0, limit: 1_000 })).includes(id),
  );
  if (type !== 'item') return;
  await until('ops explain tells why', async () =>
    describeExplanation(await explainItem(operations, id, {})).includes(what),
  );
}

/** Nothing of the account is listed, owed, or at rest with a problem: a run that is looked at leaves the list for a moment only. */
async function isWell(world: World, account: TestAccount): Promise<boolean> {
  const rowsOf = (name: string) => world.foundation.store.connection.collection(name);
  const unsettled = { $expr: { $ne: ['$revision', '$settledRevision'] } };
  const ill = await Promise.all([
    rowsOf('items').findOne({ accountId: account.id, $or: [{ blockedReason: { $type: 'string' } }, unsettled] }),
    rowsOf('receivers_in_trouble').findOne({ accountId: account.id }),
    rowsOf('bulk_syncs').findOne({ actingAccountId: account.id, completedAt: null }),
  ]);
  return ill.every((row) => row === null) && (await stuckOf(world, account)).length === 0;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Writes what was measured as a table. */
export function writeTable(): void {
  const lines = rows.map(
    ({ kind, list, foundMs, sentence, freedBy, freedMs }) =>
      `| ${kind} | ${list} | ${seconds(foundMs)} | ${sentence.replaceAll('**', '').replaceAll('|', '/')} | ${freedBy} | ${seconds(freedMs)} |`,
  );
  const head = ['| kind | found in | after | explained | freed by | effect after |', '|---|---|--:|---|---|--:|'];
  writeEvidence('kinds-of-trouble.md', `${[...head, ...lines].join('\n')}\n`);
}
