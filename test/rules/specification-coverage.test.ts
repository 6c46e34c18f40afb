import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';

import { repositoryRoot } from './source-files.ts';

const page = readFileSync(join(repositoryRoot, 'docs/specification-coverage.md'), 'utf8');
const rows = page.split('\n').filter((line) => /^\|(?! row \||---)/.test(line));
const proofs = rows.flatMap((row) =>
  row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .slice(1)
    .flatMap((cell) => cell.split('<br>'))
    .map((proof) => /^\s*`(?<file>test\/[\w./-]+\.test\.ts)` › (?<title>.+?)\s*$/.exec(proof)?.groups ?? { proof }),
);

/** The titles in a file, as patterns: what a template fills in may be anything. */
function titlesIn(file: string): RegExp[] {
  const source = readFileSync(join(repositoryRoot, file), 'utf8');
  const calls = source.matchAll(/\btest(?:\.\w+)?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs);
  return [...calls].map(([, , title = '']) => {
    const parts = title.replaceAll(/\\(['"`\\])/g, '$1').split(/\$\{[^}]*\}/);
    return new RegExp(
      `^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('.*')}$`,
      's',
    );
  });
}

test('every row has a proof of the form `file` › title', (t) => {
  t.true(rows.length > 50);
  t.deepEqual(
    proofs.filter((proof) => 'proof' in proof),
    [],
  );
});

test('every proof names a test that is there', (t) => {
  const missing = proofs.filter(({ file = '', title = '' }) => {
    if (!existsSync(join(repositoryRoot, file))) return true;
    const plain = title.replaceAll(String.raw`\|`, '|');
    return !titlesIn(file).some((pattern) => pattern.test(plain));
  });
  t.deepEqual(
    missing.map(({ file, title }) => `${file ?? '?'} › ${title ?? '?'}`),
    [],
  );
});
