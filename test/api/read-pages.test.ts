import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { Refusal } from '../../features/rules/errors.ts';
import { readPages } from '../../api/pages/page-files.ts';

test('a dashboard that is not there, or of which a file goes while it is read, is unavailable', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'dashboard-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const refused = async (path: string) => {
    const refusal = await t.throwsAsync(readPages(path), { instanceOf: Refusal });
    t.is(refusal.code, 'UNAVAILABLE');
  };
  await refused(join(folder, 'none'));
  await refused(folder);
  await writeFile(join(folder, 'index.html'), '<!doctype html>');
  t.deepEqual([...(await readPages(folder)).keys()], ['index.html']);
  await symlink(join(folder, 'gone'), join(folder, 'index.js'));
  await refused(folder);
});
