import test from 'ava';
import { describeBulk, describeCheck } from '../../cli/sync/sync-report.ts';
import { problem } from '../../features/rules/field-problems.ts';
import type { BulkSync, BulkSyncCheck } from '../../client/generated/types.gen.ts';

const counts = { total: 3, failed: 0, warned: 0, repeated: 0, removed: 0 };
const found = {
  remarks: [
    { ...problem('title', 'placeholder', { text: 'NULL' }), line: 3, count: 42 },
    { ...problem('externalId', 'placeholder', { text: '#REF!' }), line: 7, count: 1 },
  ],
  leftOutFields: [
    { field: 'description', lines: 12 },
    { field: 'domain.part.oemNumber', lines: 1 },
  ],
};
const bulk = (leftOut: 'keep' | 'empty'): BulkSync => ({
  id: 'b',
  state: 'completed',
  stoppedBy: null,
  mode: 'merge',
  ...counts,
  ...found,
  leftOut,
  created: 1,
  updated: 1,
  unchanged: 1,
  createdAt: '',
  completedAt: null,
});
const check: BulkSyncCheck = { ...counts, ...found, errors: [] };
const words = { json: false, shown: [] };

const remarks = [
  '  title is "NULL", which stands for a missing value (42 lines, the first is line 3)',
  '  externalId is "#REF!", which stands for a missing value (line 7)',
];
const fields = 'because the file has nothing there: description (12 lines), domain.part.oemNumber (1 line).';

test('the outcome says what was kept or emptied, by field, and what many lines have in common', (t) => {
  const outcome = 'b completed: 3 lines, 1 created, 1 updated, 1 unchanged, 0 failed';
  t.deepEqual(describeBulk(bulk('keep'), words).split('\n'), [
    outcome,
    ...remarks,
    `Kept, ${fields} With --replace they are emptied.`,
  ]);
  t.deepEqual(describeBulk(bulk('empty'), words).split('\n'), [outcome, ...remarks, `Emptied, ${fields}`]);
});

test('so does a dry run, before anything is done', (t) => {
  const outcome = 'Dry run, nothing was changed: 3 lines, 0 would fail';
  t.deepEqual(describeCheck({ ...check, leftOut: 'keep' }, words).split('\n'), [
    outcome,
    ...remarks,
    `Would be kept, ${fields} With --replace they are emptied.`,
  ]);
  t.deepEqual(describeCheck({ ...check, leftOut: 'empty' }, words).split('\n'), [
    outcome,
    ...remarks,
    `Would be emptied, ${fields}`,
  ]);
});

test('programs get both as data, and nothing is said where there is nothing to say', (t) => {
  const json = { json: true, shown: [] };
  t.like(JSON.parse(describeCheck({ ...check, leftOut: 'keep' }, json)), { dryRun: true, leftOut: 'keep', ...found });
  t.like(JSON.parse(describeBulk(bulk('empty'), json)), { leftOut: 'empty', ...found });
  const none = { ...bulk('keep'), remarks: [], leftOutFields: [] };
  t.is(describeBulk(none, words).split('\n').length, 1);
});
