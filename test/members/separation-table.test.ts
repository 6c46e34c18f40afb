import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { isThere, proofsOf, tableRows } from '../rules/named-proofs.ts';
import { repositoryRoot } from '../rules/source-files.ts';

const rows = tableRows(readFileSync(join(repositoryRoot, 'docs/evidence/member-separation.md'), 'utf8'));
// place, how it is kept apart, proof
const proofs = rows.flatMap((row) => proofsOf(row, 2));

test('every place in which members could be mixed up has a proof of the form `file` › title', (t) => {
  t.true(rows.length >= 30);
  t.deepEqual(
    proofs.filter((proof) => 'proof' in proof),
    [],
  );
});

// specification: an-external-id-is
test('every proof that members are kept apart names a test that is there', (t) => {
  t.deepEqual(
    proofs.filter((proof) => 'file' in proof && !isThere(proof)),
    [],
  );
});
