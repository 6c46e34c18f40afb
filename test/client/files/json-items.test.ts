import test from 'ava';
import fc from 'fast-check';
import { listedItems } from '../../../client/files/json-list.ts';
import { read, whyRefused } from './support.ts';
import { checkProperty } from '../../support/check-property.ts';

test('one object a line stays on its line, empty lines too, with LF, CR LF or CR', async (t) => {
  for (const newline of ['\n', '\r\n', '\r']) {
    const { items } = await read(['{"externalId":"A"}', '', '{"externalId":"B"}', ''].join(newline));
    t.deepEqual(items, { 1: { externalId: 'A' }, 3: { externalId: 'B' } });
  }
});

test('a list is its values, numbered from 1, however it is printed', async (t) => {
  const list = [
    { externalId: 'A', title: 'a, ] "b" \\ {' },
    { externalId: 'B', domain: { part: { x: [1, [2]] } } },
  ];
  for (const indent of [undefined, 2, '\t']) {
    const { items } = await read(`\uFEFF ${JSON.stringify(list, null, indent)}\r\n`);
    t.deepEqual(items, { 1: list[0], 2: list[1] });
  }
  t.deepEqual((await read('[]')).items, {});
});

test('any list of JSON is cut into its values, wherever its text is cut', async (t) => {
  await checkProperty(
    t,
    fc.asyncProperty(
      fc.array(fc.jsonValue(), { maxLength: 5 }),
      fc.nat(4),
      fc.integer({ min: 1, max: 9 }),
      async (list, indent, length) => {
        const text = JSON.stringify(list, null, indent);
        const pieces = async function* () {
          for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
        };
        const found: unknown[] = [];
        for await (const { text: value } of listedItems(pieces())) {
          t.notRegex(value, /[\r\n]/);
          found.push(JSON.parse(value));
        }
        t.deepEqual(found, JSON.parse(text));
      },
    ),
    { numRuns: 300 },
  );
});

test('a list that is cut off, a text behind it and an object over several lines are refused with the place', async (t) => {
  t.regex(await whyRefused('[\n{"a":1},\n{"a":2'), /Value 2 of the list, which begins on line 3, never ends/);
  t.regex(await whyRefused('[{"a":1}]\n{"a":2}'), /line 2 has something outside/);
  t.regex(await whyRefused('{\n  "externalId": "A"\n}'), /one JSON object over several lines/);
});

test('fields that begin with # are ours, and no part of an item', async (t) => {
  const { items } = await read(
    '{"#report":{"line":1},"externalId":"A","title":"#1"}\nnot json "#\n'.replace(/not.*\n/, ''),
  );
  t.deepEqual(items[1], { externalId: 'A', title: '#1' });
});
