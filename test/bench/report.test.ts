import { readFileSync } from 'node:fs';
import test from 'ava';
import { fillDocument, textTable } from '../../bench/support/report.ts';
import { cpuParts, toCase, type BenchResult } from '../../bench/support/result.ts';

test('a goal is met only by the ratio as measured, not by the rounded one', (t) => {
  t.true(toCase({ name: 'a', value: 800, unit: '1/s', floor: 1000, goal: 0.8 }).met);
  const missed = toCase({ name: 'a', value: 799.99, unit: '1/s', floor: 1000, goal: 0.8 });
  t.is(missed.ratio, 0.8);
  t.false(missed.met);
});

test('a case without a floor or a goal claims nothing', (t) => {
  t.like(toCase({ name: 'a', value: 1, unit: 'ms' }), { floor: null, ratio: null, goal: null, met: null });
  t.like(toCase({ name: 'a', value: 1, unit: 'ms', floor: 2 }), { ratio: 0.5, goal: null, met: null });
});

test('of time and memory a goal is the most that is allowed, and a target binds the value itself', (t) => {
  t.true(toCase({ name: 'a', value: 14, unit: 'ms', floor: 10, goal: 1.5 }).met);
  t.false(toCase({ name: 'a', value: 16, unit: 'ms', floor: 10, goal: 1.5 }).met);
  t.false(toCase({ name: 'a', value: 14, unit: 'ms', floor: 10, goal: 1.5, target: 4.4 }).met);
  t.true(toCase({ name: 'a', value: 4, unit: 'ms', target: 4.4 }).met);
  t.false(toCase({ name: 'a', value: 900, unit: '1/s', target: 1_500 }).met);
});

test('CPU time is compared process by process, and alone where the floor has no such process', (t) => {
  const cases = cpuParts('x, CPU each', [{ cpuMsEachOf: { api: 2, mongod: 3 } }], [{ cpuMsEachOf: { api: 1 } }]);
  t.deepEqual(
    cases.map(({ name, value, floor }) => ({ name, value, floor })),
    [
      { name: 'x, CPU each: api', value: 2, floor: 1 },
      { name: 'x, CPU each: mongod', value: 3, floor: null },
    ],
  );
});

const result: BenchResult = {
  machine: { cpu: 'a processor', cores: 2, memoryGb: 24, system: 'linux x64', loadBefore: 0.1 },
  versions: { node: '20.20.2' },
  at: '2026-11-21T12:00:00.000Z',
  mode: 'full',
  cases: [toCase({ name: 'PUT new', value: 500, unit: '1/s', floor: 1000, goal: 0.8 })],
  notes: [],
};

test('a missed goal is shown as missed, at the terminal and in the document', (t) => {
  t.regex(textTable(result.cases), /PUT new +500 +1\/s +1000 +0\.50 +0\.8 +no/);
  t.true(fillDocument(readDocument(), result).includes('| PUT new | 500 | 1/s | 1000 | 0.50 | 0.8 | no |'));
});

test('what a run had to leave out is said in the document', (t) => {
  t.true(
    fillDocument(readDocument(), { ...result, notes: ['BullMQ: no Redis'] }).includes('Left out: BullMQ: no Redis'),
  );
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
