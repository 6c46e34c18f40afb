import { Readable } from 'node:stream';
import test from 'ava';

interface TestReport {
  output(stream: Readable): void;
  end(exitCode: number): { passed: number; failed: number; failures: string[] };
}
interface Options {
  files: readonly string[];
  list: boolean;
  say: (line: string) => void;
}
const file = new URL('../../scripts/report-tests.mjs', import.meta.url).href;
const { createTestReport } = (await import(file)) as { createTestReport: (options: Options) => TestReport };

const files = ['test/items/money.test.ts', 'test/items/item.test.ts', 'test/api/items.test.ts'];

async function reportOf(pieces: readonly string[], { list = false, exitCode = 1 } = {}) {
  const said: string[] = [];
  const report = createTestReport({ files, list, say: (line) => said.push(line) });
  const stream = Readable.from(pieces, { objectMode: false });
  report.output(stream);
  await new Promise((resolve) => stream.once('close', resolve));
  return { sum: report.end(exitCode), said: said.map((line) => line.replace(/\(\d+ s\)$/, '(time)')) };
}

test('a group is one line when its last file has ended, failures stand there in full, and the sum ends it', async (t) => {
  const { sum, said } = await reportOf([
    '  ✔ others-1 › items/money › a\n    ℹ what it logged\n      and more\n  ✔ others-1 › items/mo',
    'ney › b (12ms)\ntest file ended: test/items/money.test.ts 2 0\n',
    '  ✘ [fail]: others-1 › items/item › c\n    ℹ its log\ntest file ended: test/items/item.test.ts 1 1\n',
    '  ─\n\n  others-1 › items/item › c\n\n  Difference:\n  1 test failed\n',
  ]);
  t.deepEqual(sum, { passed: 2, failed: 1, failures: ['others-1 › items/item › c'] });
  t.deepEqual(said, [
    '  ✘ [fail]: others-1 › items/item › c',
    '    ℹ its log',
    '  ✗ items: 3 tests in 2 files, 1 failed (time)',
    '  ─',
    '',
    '  others-1 › items/item › c',
    '',
    '  Difference:',
    '\n2 passed, 1 failed',
  ]);
});

test('a group of which only some files were asked for is told at the end', async (t) => {
  const { said } = await reportOf(['  ✔ items/money › a\ntest file ended: test/items/money.test.ts 1 0\n'], {
    exitCode: 0,
  });
  t.deepEqual(said, ['  ✓ items: 1 tests in 1 files, 0 failed (time)', '\n1 passed, 0 failed']);
});

test('with a list each test has its line', async (t) => {
  const { said } = await reportOf(['  ✔ items/money › a\ntest file ended: test/items/money.test.ts 1 0\n'], {
    list: true,
    exitCode: 0,
  });
  t.deepEqual(said, ['  ✔ items/money › a', '\n1 passed, 0 failed']);
});

test('what is left out is told with its reason, and counts as neither', async (t) => {
  const { sum, said } = await reportOf(
    ['skipped: the mock, because Go is not installed\n  - [skip] items/money › a\n'],
    {
      exitCode: 0,
    },
  );
  t.deepEqual(sum, { passed: 0, failed: 0, failures: [] });
  t.deepEqual(said, ['  not run: the mock, because Go is not installed', '\n0 passed, 0 failed']);
});

test('a run that failed without a failed test is one failure', async (t) => {
  t.deepEqual((await reportOf(['  ✔ items/money › a\n'])).sum, { passed: 1, failed: 1, failures: [] });
});
