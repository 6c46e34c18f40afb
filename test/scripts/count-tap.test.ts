import test from 'ava';

interface TapCounter {
  write(chunk: string): void;
  end(exitCode: number): { passed: number; failed: number; failures: string[] };
}
const file = new URL('../../scripts/count-tap.mjs', import.meta.url).href;
const { createTapCounter } = (await import(file)) as { createTapCounter: () => TapCounter };

test('passed and failed tests are counted across chunk borders; skipped ones and todos are neither', (t) => {
  const counter = createTapCounter();
  counter.write('TAP version 13\nok 1 - one\nnot o');
  counter.write('k 2 - two\n  ---\n  ok: indented\n  ...\nok 3 - three # SKIP\nnot ok 4 - four # TODO\nok 5 - fi');
  counter.write('ve');
  t.deepEqual(counter.end(1), { passed: 2, failed: 1, failures: ['two'] });
});

test('a run that failed without a failed test is one failure', (t) => {
  const counter = createTapCounter();
  counter.write('ok 1 - one\n');
  t.deepEqual(counter.end(1), { passed: 1, failed: 1, failures: [] });
});
