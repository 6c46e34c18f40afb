import test from 'ava';
import { createProgress } from '../../cli/progress.ts';

function aProgress(output: { isTTY?: boolean; columns?: number }) {
  let now = 0;
  const written: string[] = [];
  const progress = createProgress({ output: { ...output, write: (text) => written.push(text) }, now: () => now });
  return {
    progress,
    written,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test('a program gets JSON lines with rate and time left, every two seconds, and the first and last of each phase', (t) => {
  const { progress, written, pass } = aProgress({});
  progress.update('upload', 0, 10);
  progress.update('upload', 10, 10);
  for (const done of [0, 50, 100, 150, 200]) {
    progress.update('apply', done, 400);
    pass(1_000);
  }
  progress.update('apply', 400, 400);
  t.deepEqual(
    written.map((line) => JSON.parse(line) as unknown).map((line) => Object.values(line as object).slice(0, 4)),
    [
      ['upload', 'bytes', 0, 10],
      ['upload', 'bytes', 10, 10],
      ['apply', 'lines', 0, 400],
      ['apply', 'lines', 100, 400],
      ['apply', 'lines', 200, 400],
      ['apply', 'lines', 400, 400],
    ],
  );
  t.like(JSON.parse(written[4] ?? ''), { perSecond: 50, secondsLeft: 4 });
});

test('a person gets a bar that fits the terminal, and sentences in between stand on lines of their own', (t) => {
  const { progress, written, pass } = aProgress({ isTTY: true, columns: 80 });
  progress.update('apply', 0, 1_000);
  pass(1_000);
  progress.update('apply', 250, 1_000);
  progress.say('A word.');
  t.is(written[1], '\r\u001B[2K');
  t.regex(written[2] ?? '', /^Applying {2}\[#+-+\] {2}25 % {2}250 of 1000 lines, 250 a second, 3 s left$/);
  t.true((written[2] ?? '').length < 80);
  t.deepEqual(written.slice(3), ['\r\u001B[2K', 'A word.\n']);
});
