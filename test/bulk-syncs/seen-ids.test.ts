import test from 'ava';
import { createSeenIds } from '../../features/bulk-syncs/seen-ids.ts';

// specification: an-id-that-is
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
