import { readFileSync } from 'node:fs';
import test from 'ava';
import { fillDocument, textTable, type BenchResult } from '../../bench/support/report.ts';
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
  t.true(fillDocument(readDocument(), result).includes('| PUT new | 500 | 1/s | 1000 | 0.50 | 0.8 | no |'));
});

test('a row that was measured on a busy machine says so', (t) => {
  const cases = result.cases.map((one) => ({ ...one, isNoise: true }));
  t.regex(textTable(cases), /no, noise/);
  t.true(fillDocument(readDocument(), { ...result, cases }).includes('| 0.8 | no, noise |'));
});

test('what a run had to leave out is said in the document', (t) => {
  t.true(fillDocument(readDocument(), { ...result, notes: ['Left out: BullMQ.'] }).includes('\n\nLeft out: BullMQ.\n'));
});

test('filling the document replaces the results before and nothing else', (t) => {
  const document = readDocument();
  const once = fillDocument(document, result);
  const again = fillDocument(once, { ...result, cases: [] });
  t.false(again.includes('| PUT new |'));
  t.is(fillDocument(again, result), once);
  t.true(once.endsWith(document.slice(document.indexOf('<!-- end of results -->'))));
});

test('a document that has lost its marks is not overwritten', (t) => {
  t.throws(() => fillDocument('# Benchmarks\n', result), { message: /lost the marks/ });
});

const readDocument = (): string => readFileSync('docs/evidence/benchmarks.md', 'utf8');
