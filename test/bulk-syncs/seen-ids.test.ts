import test from 'ava';
import { createSeenIds } from '../../usecases/bulk-syncs/seen-ids.ts';

test('every repetition is told with the line that had the id first, and nothing else is, while the memory grows', (t) => {
  const seen = createSeenIds();
  const wrong: unknown[] = [];
  const idOf = (n: number): string => `account ERP-${n}`;
  for (let line = 1; line <= 100_000; line += 1) {
    const first = seen.firstLine(idOf(line), line);
    if (first !== undefined) wrong.push([line, first]);
  }
  for (let line = 100_001; line <= 110_000; line += 1) {
    const first = seen.firstLine(idOf(line - 99_000), line);
    if (first !== line - 99_000) wrong.push([line, first]);
  }
  t.deepEqual(wrong, []);
});

test('a million lines, as many as an upload may have, find room', (t) => {
  const seen = createSeenIds();
  for (let line = 1; line <= 1_000_000; line += 1) seen.firstLine(String(line), line);
  t.is(seen.firstLine('1000000', 1_000_000), 1_000_000);
  t.is(seen.firstLine('1', 1_000_000), 1);
});
