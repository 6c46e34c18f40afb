import test from 'ava';
import fc from 'fast-check';
import { measureJson } from '../../schemas/read-json.ts';
import { checkProperty } from '../support/check-property.ts';

const isTooDeep = (text: string, depthMax: number): boolean => measureJson(text, depthMax).isTooDeep;

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

const namesOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, child) => sum + namesOf(child), own);
};

test('depth and number of names of any JSON are told as a walk through its value tells them', async (t) => {
  await checkProperty(
    t,
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      const value: unknown = JSON.parse(text);
      const depth = depthOf(value);
      t.deepEqual(measureJson(text, depth), { isTooDeep: false, names: namesOf(value) });
      if (depth > 0) t.true(isTooDeep(text, depth - 1));
    }),
    { numRuns: 300 },
  );
});

test('brackets and colons in strings are text, also behind an escaped quote or backslash', (t) => {
  for (const text of ['["[[["]', '["\\"[[["]', '["\\\\", "[["]', '{"[{": "\\\\\\"[["}'])
    t.false(isTooDeep(text, 1), text);
  t.true(isTooDeep('["\\\\", [1]]', 1));
  t.is(measureJson('{"a:b": ":", "c": {"d": 1}}', 64).names, 3);
});

test('a name that stands there twice is counted twice', (t) => {
  t.is(measureJson('{"a":1,"a":2}', 64).names, 2);
});

test('what is no JSON gets an answer, too', (t) => {
  for (const text of ['', '"', '"\\', ']]]]', '[1', '\\"[']) t.notThrows(() => measureJson(text, 64), text);
});
