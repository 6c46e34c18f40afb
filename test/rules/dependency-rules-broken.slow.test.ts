import test from 'ava';
import { brokenExamples } from './broken-examples.ts';
import { namesOfBrokenRules, readRules } from './cruise-tree.ts';

const rules = await readRules();
const ruleNames = [...(rules.ruleSet?.forbidden ?? []), ...(rules.ruleSet?.required ?? [])].map(
  (rule) => rule.name ?? '',
);

test('every rule says what to do instead and is broken on purpose by an example', (t) => {
  const rulesWithAnExample = new Set(brokenExamples.map((example) => example.rule));
  t.deepEqual([...rulesWithAnExample].sort(), [...ruleNames].sort());
  t.is(new Set(ruleNames).size, ruleNames.length, 'two rules have the same name');

  const all = [...(rules.ruleSet?.forbidden ?? []), ...(rules.ruleSet?.required ?? [])];
  t.deepEqual(
    all.filter((rule) => (rule.comment ?? '').length < 40 || rule.severity !== 'error'),
    [],
  );
});

// One after another, because the tool keeps module-wide caches.
for (const [index, { rule, files }] of brokenExamples.entries()) {
  const paths = Object.keys(files).join(', ');
  test.serial(`${rule} speaks, and no other rule does (example ${String(index + 1)}: ${paths})`, async (t) => {
    t.deepEqual(await namesOfBrokenRules(files, rules), expectedNames(rule, paths));
  });
}

test.serial('the way that the architecture describes breaks no rule', async (t) => {
  t.deepEqual(await namesOfBrokenRules(allowedTree, rules), []);
});

/** Code that lies in the wrong place and is alone there is an orphan as well. */
function expectedNames(rule: string, paths: string): string[] {
  return paths === 'utils/strings.ts' ? [rule, 'no-orphans'] : [rule];
}

const allowedTree = {
  'features/rules/money.ts': 'export const leaf = 1;\n',
  'gateways/orchestrator/port.ts': `import type { leaf } from '../../features/rules/money.ts';\nexport type Port = typeof leaf;\n`,
  'gateways/orchestrator/temporal.ts': `import { Client } from '@temporalio/client';\nimport type { Port } from './port.ts';\nimport { name } from '../../workflows/contracts/workflows.ts';\nimport type { run } from '../../workflows/items/item-lifecycle.ts';\nexport const orchestrator = [Client, name] as unknown as Port & typeof run;\n`,
  'features/items/upsert-item.ts': `import type { Port } from '../../gateways/orchestrator/port.ts';\nimport { leaf } from '../rules/money.ts';\nexport const upsert = (port: Port) => [port, leaf];\n`,
  'activities/items.ts': `import { upsert } from '../features/items/upsert-item.ts';\nexport const activities = { upsert };\n`,
  'workflows/contracts/workflows.ts': `import { leaf } from '../../features/rules/money.ts';\nexport const name = leaf;\n`,
  'workflows/items/item-lifecycle.ts': `import { proxyActivities } from '@temporalio/workflow';\nimport type { activities } from '../../activities/items.ts';\nimport { leaf } from '../../features/rules/money.ts';\nexport const run = [proxyActivities, leaf] as unknown as typeof activities;\n`,
  'compose/worker.ts': `import { orchestrator } from '../gateways/orchestrator/temporal.ts';\nimport { activities } from '../activities/items.ts';\nexport const composed = { orchestrator, activities };\n`,
  'workers/run-workers.ts': `import { Worker } from '@temporalio/worker';\nimport { composed } from '../compose/worker.ts';\nexport const worker = [Worker, composed];\n`,
  'api/app.ts': `import express from 'express';\nexport const app = express;\n`,
  'bin/worker.ts': `import { worker } from '../workers/run-workers.ts';\nexport default worker;\n`,
  'bin/api.ts': `import { app } from '../api/app.ts';\nimport { composed } from '../compose/worker.ts';\nexport default [app, composed];\n`,
  'test/anything.test.ts': `import { worker } from '../workers/run-workers.ts';\nimport { app } from '../api/app.ts';\nexport const both = [worker, app];\n`,
};
