import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { repositoryRoot } from '../rules/source-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const advice =
  'the interface has changed: run "npm run generate -- client" and commit client/generated with docs/openapi.json';

test('the committed client is the one that the interface document makes', async (t) => {
  const fresh = temporaryFolder('client');
  await run(process.execPath, [join(repositoryRoot, 'scripts/client.mjs'), fresh]);
  const committed = join(repositoryRoot, 'client/generated');
  const files = await filesOf(fresh);
  t.true(files.length > 10);
  t.deepEqual(await filesOf(committed), files, advice);
  for (const file of files) {
    const [now, wanted] = await Promise.all([committed, fresh].map((folder) => readFile(join(folder, file), 'utf8')));
    // Not by t.is, which would print both.
    t.true(now === wanted, `client/generated/${file}: ${advice}`);
  }
});

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}
