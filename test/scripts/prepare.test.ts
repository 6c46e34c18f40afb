import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'ava';

interface Prepare {
  judgeNode: (version: string, oldest: string) => 'too old' | 'tried' | 'untried';
  packagesAreInstalled: (root: string) => boolean;
}
const file = new URL('../../scripts/prepare.mjs', import.meta.url).href;
const { judgeNode, packagesAreInstalled } = (await import(file)) as Prepare;

test('a Node older than the oldest is replaced, and one newer than the newest that was tried is used with a warning', (t) => {
  const judged = (version: string) => judgeNode(version, '22.19');
  for (const version of ['18.20.0', '20.19.0', '22.18.0']) t.is(judged(version), 'too old', version);
  for (const version of ['22.19.0', '23.0.0', '24.11.1', '26.99.0']) t.is(judged(version), 'tried', version);
  t.is(judged('27.0.0'), 'untried');
});

test('the packages count as installed only when npm has recorded every locked version', (t) => {
  const root = mkdtempSync(join(process.env['TEST_DIRECTORY'] ?? tmpdir(), 'itembridge-packages-'));
  const wanted = {
    '': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '2.0.0', optional: true },
  };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: wanted }));
  t.false(packagesAreInstalled(root), 'no node_modules');

  mkdirSync(join(root, 'node_modules'));
  const record = (packages: unknown): void => {
    writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
  };
  record({ 'node_modules/a': { version: '0.9.0' } });
  t.false(packagesAreInstalled(root), 'an old version');

  record({ 'node_modules/a': { version: '1.0.0' }, 'node_modules/extra': { version: '3.0.0' } });
  t.true(packagesAreInstalled(root), 'another system without the optional package, and one package more');
});

/** What a script has imported before its first line runs, over its own scripts. */
function packagesBeforeRun(file: string, seen = new Set([file])): string[] {
  const text = readFileSync(file, 'utf8');
  const imported = [...text.matchAll(/^(?:import|export) [^;]*?from '([^']+)';/gmu)].map(([, path]) => path ?? '');
  return imported.flatMap((path) => {
    const next = join(dirname(file), path);
    if (path.startsWith('node:') || seen.has(next)) return [];
    if (!path.startsWith('.')) return [`${file}: ${path}`];
    seen.add(next);
    return packagesBeforeRun(next, seen);
  });
}

test('a script that installs the packages loads none before', (t) => {
  const scripts = ['bin', 'scripts'].flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const preparing = scripts.filter((file) => /^ *await prepare\(\);$/mu.test(readFileSync(file, 'utf8')));
  t.true(preparing.includes('scripts/test.mjs') && preparing.includes('bin/start.mjs'));
  t.deepEqual(
    preparing.flatMap((file) => packagesBeforeRun(file)),
    [],
  );
});
