import test from 'ava';
import fc from 'fast-check';
import { isNestedDeeper } from '../../core/is-nested-deeper.ts';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

test('the depth of any JSON is told as a walk through its value tells it', (t) => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      const depth = depthOf(JSON.parse(text));
      t.false(isNestedDeeper(text, depth));
      if (depth > 0) t.true(isNestedDeeper(text, depth - 1));
    }),
    { numRuns: 300 },
  );
});

test('brackets in strings are text, also behind an escaped quote or backslash', (t) => {
  for (const text of ['["[[["]', '["\\"[[["]', '["\\\\", "[["]', '{"[{": "\\\\\\"[["}'])
    t.false(isNestedDeeper(text, 1), text);
  t.true(isNestedDeeper('["\\\\", [1]]', 1));
});

test('what is no JSON gets an answer, too', (t) => {
  for (const text of ['', '"', '"\\', ']]]]', '[1', '\\"[']) t.notThrows(() => isNestedDeeper(text, 64), text);
});
