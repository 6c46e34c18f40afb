import test from 'ava';
import { documentOf, textTable, type BenchResult } from '../../bench/support/report.ts';
import { toCase } from '../../bench/support/result.ts';

const result: BenchResult = {
  machine: { cpu: 'a processor', cores: 2, memoryGb: 24, system: 'linux x64', loadBefore: 0.1 },
  versions: { node: '20.20.2' },
  at: '2026-11-21T12:00:00.000Z',
  mode: 'full',
  cases: [{ ...toCase({ name: 'PUT new', value: 500, unit: '1/s', floor: 1000, goal: 0.8 }), isNoise: false }],
  notes: [],
};

test('a missed goal is shown as missed, at the terminal and in the document', (t) => {
  t.regex(textTable(result.cases), /PUT new +500 +1\/s +1000 +0\.50 +0\.8 +no/);
  t.true(documentOf(result).includes('| PUT new | 500 | 1/s | 1000 | 0.50 | 0.8 | no |'));
});

test('a row that was measured on a busy machine says so', (t) => {
  const cases = result.cases.map((one) => ({ ...one, isNoise: true }));
  t.regex(textTable(cases), /no, noise/);
  t.true(documentOf({ ...result, cases }).includes('| 0.8 | no, noise |'));
});

test('what a run had to leave out is said in the document', (t) => {
  t.true(documentOf({ ...result, notes: ['Left out: BullMQ.'] }).includes('\n\nLeft out: BullMQ.\n'));
});
