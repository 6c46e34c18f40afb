import test from 'ava';
import { countTags, readProofs, readSections } from './specification-page.ts';

const names = readSections().flatMap(({ rows }) => rows.map(({ name }) => name));
const proofs = await readProofs();

test('every row of the specification has a test that says it proves it', (t) => {
  t.true(names.length > 400);
  t.deepEqual([...new Set(names)], names, 'each name stands for one row');
  const proved = new Set(proofs.map(({ row }) => row));
  t.deepEqual(
    names.filter((name) => !proved.has(name)),
    [],
  );
});

test('every comment that names a row stands above a test, and names one that is there', async (t) => {
  t.is(proofs.length, await countTags());
  const known = new Set(names);
  t.deepEqual(
    proofs.filter(({ row }) => !known.has(row)),
    [],
  );
});
