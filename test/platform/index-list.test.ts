import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { Schema } from 'mongoose';
// Define all collections.
import '../../compose/migrate.ts';
import { schemaSteps } from '../../compose/schema-steps.ts';
import { definedIndexes } from '../../platform/database/connection.ts';
import { indexesOf, type NamedIndex } from '../../platform/database/indexes.ts';
import { indexListFile, renewed } from './index-list.ts';

test('every index is listed with the version that brought it, and none has changed under its name', (t) => {
  const text = readFileSync(indexListFile, 'utf8');
  t.is(renewed(text, definedIndexes()), text, 'npm run generate -- indexes');
});

test('migrate knows every collection of the stores', (t) => {
  const stores = readdirSync('features', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.includes('/store/'),
  );
  const defined = stores.flatMap((file) =>
    [...readFileSync(`features/${file}`, 'utf8').matchAll(/\bdefine(?:Collection|Rows)<[^(]*\(\s*'(\w+)'/g)].map(
      ([, name = '']) => name,
    ),
  );
  t.true(defined.length > 30, String(defined.length));
  t.deepEqual(
    defined.filter((name) => !definedIndexes().has(name)),
    [],
  );
});

test('the steps are numbered 1, 2, 3 …, and none shuts out what comes after it', (t) => {
  t.deepEqual(
    schemaSteps.map(({ number }) => number),
    schemaSteps.map((_, index) => index + 1),
  );
  for (const { number, compatibleFrom = 0 } of schemaSteps) t.true(compatibleFrom <= number);
});

function dueRows(...indexes: Parameters<Schema['index']>[]): ReadonlyMap<string, readonly NamedIndex[]> {
  const schema = new Schema({}, { strict: false });
  for (const index of indexes) schema.index(...index);
  return new Map([['rows', indexesOf(schema)]]);
}

const due = [{ startAt: 1 }, { name: 'due' }] as const;
const listed = 'released 1\nrows due 1 {"key":{"startAt":1}}\n';

test('a new index gets a line of the present version; one that is no longer used stays until a step drops it', (t) => {
  t.is(renewed('released 0\n', dueRows([...due]), 1), listed.replace('released 1', 'released 0'));
  const both = 'released 1\nrows due 1-2 {"key":{"startAt":1}}\nrows due_2 2 {"key":{"startAt":1,"queue":1}}\n';
  const changed = dueRows([{ startAt: 1, queue: 1 }, { name: 'due_2' }]);
  t.is(renewed(listed, changed, 2), both);
  t.is(renewed(both, changed, 3), both);
});

test('a definition that changes under its name is refused; how long rows are kept may change', (t) => {
  for (const changed of [
    [{ startAt: -1 }, { name: 'due' }],
    [{ startAt: 1 }, { name: 'due', unique: true }],
    [{ startAt: 1 }, { name: 'due', partialFilterExpression: { startAt: { $type: 'date' } } }],
    [{ startAt: 1 }, { name: 'due', expireAfterSeconds: 1 }],
  ] as const)
    t.throws(() => renewed(listed, dueRows([...changed]), 2), { message: /rows due: .*_2/ });
  const order = 'released 1\nrows by_two 1 {"key":{"a":1,"b":1}}\n';
  t.throws(() => renewed(order, dueRows([{ b: 1, a: 1 }, { name: 'by_two' }]), 2), { message: /rows by_two/ });
  t.is(renewed(kept, dueRows(...expiring(90)), 2), kept.replace('60', '90'));
});

const kept = 'released 1\nrows old 1 {"key":{"at":1},"expireAfterSeconds":60}\n';
const expiring = (seconds: number): Parameters<Schema['index']>[] => [
  [{ at: 1 }, { name: 'old', expireAfterSeconds: seconds }],
];

test('a released version takes no change: a new index, one less and another time of expiry each need a step', (t) => {
  t.is(renewed(listed, dueRows([...due]), 1), listed);
  for (const [list, indexes] of [
    [listed, dueRows([...due], [{ queue: 1 }, { name: 'queue' }])],
    [listed, dueRows()],
    [kept, dueRows(...expiring(90))],
  ] as const)
    t.throws(() => renewed(list, indexes, 1), {
      message: /version 1 is released: add a step .* rows (queue|due|old) /,
    });
  t.throws(() => renewed('', dueRows(), 1), { message: /must begin with: released VERSION/ });
});
