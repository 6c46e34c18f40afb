// `node scripts/test.mjs verification/isolation/write-page.ts`: writes the matrix of docs/evidence/tenant-isolation.md again, as it is found now.
import { writeFile } from 'node:fs/promises';
import test from 'ava';
import { inspectKind, type Outcome } from './support/inspect.ts';
import { startIsolationWorld } from './support/isolation-world.ts';
import { page, readPage } from './support/matrix-page.ts';
import { operations } from './support/operations.ts';

test('the page is written', async (t) => {
  t.timeout(600_000);
  const isolation = await startIsolationWorld();
  t.teardown(isolation.close);
  const { kinds, inspection } = isolation;
  const outcomes: Outcome[] = [];
  for (const kind of kinds) outcomes.push(...(await inspectKind(inspection, kind)).outcomes);
  outcomes.push(...(await isolation.inspectOwn()).outcomes);
  await writeFile(page, (await readPage({ operations, kinds, outcomes })).fresh);
  t.pass(`${page} is written`);
});
