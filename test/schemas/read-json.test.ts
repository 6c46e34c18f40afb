import test from 'ava';
import { readJson } from '../../schemas/read-json.ts';

for (const [text, place] of [
  ['{"title":"x","price":10,}', 'column 25: a name in double quotes is expected after a comma'],
  ["{'title':'x'}", 'column 2: only numbers, true, false and null stand without double quotes'],
  ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3: a comma, or the end of the list or object, is expected'],
  ['{\n  // note\n}', 'line 2, column 3: JSON has no comments'],
  ['{"a" 1}', 'column 6: a colon is expected'],
  ['{"a":1', 'column 7: a } is expected'],
  ['[1', 'column 3: a ] is expected'],
  ['{} {}', 'column 4: the value has ended, nothing more is expected'],
  [String.raw`["\x"]`, 'column 2: the text that begins here has a backslash before a character that needs none'],
  ['["a\tb"]', String.raw`column 2: the text that begins here has a control character (write a tab as \t)`],
] as const)
  test(`${JSON.stringify(text)} is no JSON, and the place is told without repeating the text`, (t) => {
    t.deepEqual(readJson(text), { problem: `is not well-formed JSON: ${place}` });
  });

test('a number that breaks off is told as a number that breaks off', (t) => {
  const words = 'the number that begins here has no digits where they must follow, as in -1, 0.5 and 1e3';
  for (const [text, column] of [
    ['{"price":1.}', 10],
    ['{"price":1e}', 10],
    ['{"price":1e+}', 10],
    ['{"price":-0.}', 10],
    ['{"price":1.e5}', 10],
    ['[1.,2]', 2],
    ['7.', 1],
  ] as const)
    t.deepEqual(readJson(text), { problem: `is not well-formed JSON: column ${column}: ${words}` }, text);
});

test('no problem of a text is told by the name that the parser has for it', (t) => {
  const texts = [
    '-',
    '1.',
    '1ee5',
    '{"a":1 /* x',
    '/*',
    '// x',
    '{"a":"\\u12"}',
    '"\\x"',
    '"b',
    "'b'",
    '{a:1}',
    '[1,]',
  ];
  for (const text of [
    ...texts,
    '',
    '{"a":}',
    '{"a" 1}',
    '{}{}',
    '"\t"',
    '[1',
    '{"a":1',
    '\u00BD',
    '+1',
    '01',
    '0x1',
    'NaN',
  ]) {
    const read = readJson(text);
    t.regex('problem' in read ? read.problem : '', /: column \d+: .*[a-z] .*[a-z]/, text);
    t.notRegex('problem' in read ? read.problem : '', /[a-z][A-Z]/, text);
  }
});

test('UTF-16 is recognised by its NUL characters', (t) => {
  const text = Buffer.from('{"a":1}', 'utf16le').toString('utf8');
  t.regex(repeatedIn(text)[0] ?? '', /UTF-16/);
});

const repeatedIn = (text: string): readonly string[] => {
  const read = readJson(text);
  return 'repeated' in read ? read.repeated : [read.problem];
};

test('names that stand twice in their object are told by their paths, and the last one counts', (t) => {
  const text = '{"a":1,"b":{"c":1,"c":2},"d":[{"e":1},{"e":1,"e":3}],"a":4}';
  t.deepEqual(readJson(text), {
    value: { a: 4, b: { c: 2 }, d: [{ e: 1 }, { e: 3 }] },
    repeated: ['b.c', 'd.1.e', 'a'],
  });
  t.deepEqual(repeatedIn('{"a":{"x":1},"b":{"x":1}}'), []);
});

test('at most 20 repeated names are told, and of a long text only that it has some', (t) => {
  const pairs = Array.from({ length: 50 }, (_, n) => `"n${n}":1,"n${n}":2`).join(',');
  t.is(repeatedIn(`{${pairs}}`).length, 20);
  const long = `{"a":1,"a":"${'x'.repeat(300_000)}"}`;
  t.deepEqual(repeatedIn(long), ['']);
  t.deepEqual(readJson(`${long},`), { problem: 'is not well-formed JSON' });
});
