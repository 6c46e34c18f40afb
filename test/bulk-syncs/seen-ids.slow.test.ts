import test from 'ava';
import { createSeenIds } from '../../features/bulk-syncs/seen-ids.ts';

test('a million lines, as many as an upload may have, find room', (t) => {
  const seen = createSeenIds();
  for (let line = 1; line <= 1_000_000; line += 1) seen.firstLine(String(line), line);
  t.is(seen.firstLine('1000000', 1_000_000), 1_000_000);
  t.is(seen.firstLine('1', 1_000_000), 1);
});
