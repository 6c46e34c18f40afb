import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';

import { isThere, proofsOf, tableRows } from './named-proofs.ts';
import { repositoryRoot } from './source-files.ts';

/** Only tables of threats have proofs; assets and what is open have two or three columns of words. */
const chapters = readFileSync(join(repositoryRoot, 'docs/evidence/security.md'), 'utf8').split(/^## /m);
const rows = chapters
  .filter((chapter) => chapter.includes('| threat |'))
  .flatMap(tableRows)
  .filter((row) => !row.startsWith('| threat |'));
const proofs = rows.flatMap((row) => proofsOf(row, 2));

test('every threat names a proof of the form `file` › title', (t) => {
  t.true(rows.length > 50);
  t.deepEqual(
    proofs.filter((proof) => 'proof' in proof),
    [],
  );
});

test('every proof of a threat names a test that is there', (t) => {
  t.deepEqual(
    proofs.filter((proof) => 'file' in proof && !isThere(proof)),
    [],
  );
});

test('every file that the page names is there', (t) => {
  const files = [...chapters.join('').matchAll(/`((?:\w[\w-]*\/)+[\w.-]+\.(?:ts|mjs|json|env))`/g)].map(
    ([, file = '']) => file,
  );
  t.true(files.length > 50);
  t.deepEqual(
    files.filter((file) => !isPath(file)),
    [],
  );
});

const isPath = (file: string): boolean => {
  try {
    return readFileSync(join(repositoryRoot, file)).length > 0;
  } catch {
    return false;
  }
};
