import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';

import { isThere, proofsOf, tableRows } from './named-proofs.ts';
import { repositoryRoot } from './source-files.ts';

const rows = tableRows(readFileSync(join(repositoryRoot, 'docs/evidence/specification-coverage.md'), 'utf8'));
const proofs = rows.flatMap((row) => proofsOf(row, 1));

test('every row has a proof of the form `file` › title', (t) => {
  t.true(rows.length > 50);
  t.deepEqual(
    proofs.filter((proof) => 'proof' in proof),
    [],
  );
});

test('every proof names a test that is there', (t) => {
  t.deepEqual(
    proofs.filter((proof) => 'file' in proof && !isThere(proof)),
    [],
  );
});
