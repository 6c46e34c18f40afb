import test from 'ava';
import { read, whyRefused } from './support.ts';

const csv = 'externalId;title;price\r\nA;a;1\r\n';

for (const [name, end] of [
  ['Ctrl-Z', '\u001A'],
  ['Ctrl-Z and a line end', '\u001A\r\n'],
  ['a block of Ctrl-Z', '\u001A'.repeat(120)],
  ['NUL padding', '\0'.repeat(300)],
  ['Ctrl-Z and NUL padding', `\u001A${'\0'.repeat(200)}`],
  ['much padding', `\u001A${'\0'.repeat(200_000)}`],
] as const)
  test(`${name} behind the text is no part of it, in every format and encoding`, async (t) => {
    const expected = { 2: { externalId: 'A', title: 'a', price: 1, imageUrls: [] } };
    for (const content of [csv + end, `\uFEFF${csv}${end}`, Buffer.from(`\uFEFF${csv}${end}`, 'utf16le')])
      t.deepEqual((await read(content, { pieceBytes: 4_096 })).items, expected);
    const latin = Buffer.from(`externalId;title;price\r\nA;Dörr;1\r\n${end}`, 'latin1');
    t.like((await read(latin, { pieceBytes: 4_096 })).items[2], { title: 'Dörr' });
    const json = '{"externalId":"A"}';
    t.deepEqual((await read(`${json}\n${end}`, { pieceBytes: 4_096 })).items, { 1: { externalId: 'A' } });
    t.deepEqual((await read(`[${json}]${end}`, { pieceBytes: 4_096 })).items, { 1: { externalId: 'A' } });
  });

test('wherever the padding is cut, and behind a last row without a line end', async (t) => {
  for (const pieceBytes of [1, 2, 3, 50]) {
    const { items } = await read(`${csv.trimEnd()}\u001A\0\0`, { pieceBytes });
    t.deepEqual(items[2], { externalId: 'A', title: 'a', price: 1, imageUrls: [] });
  }
});

test('in the middle they stay, so that the service names the field', async (t) => {
  t.is((await read('externalId;title;price\nA;a\u001Ab;1\n')).items[2]?.['title'], 'a\u001Ab');
  t.regex(await whyRefused('externalId;title;price\nA;a\0b;1\n'), /not a text file/);
  t.is(await whyRefused('\u001A'), 'The file is empty.');
});

test('a cell or value of more than the limit is told with the limit, and what it perhaps is', async (t) => {
  const long = 'x'.repeat(1_000_001);
  const limit = 'has more than 1,000,000 characters, which is the most that is read.';
  const options = { pieceBytes: 65_536 };
  t.is(await whyRefused(`externalId;title;price\nA;${long};1\n`, options), `A cell that begins on line 2 ${limit}`);
  const quoted = await whyRefused(`externalId;title;price\nB;b;1\nA;"${long.repeat(2)}";1\n`, options);
  t.is(
    quoted,
    `A cell that begins on line 3 ${limit} Perhaps its quote is never closed: a quote inside quotes must be written twice.`,
  );
  const list = await whyRefused(`[{"a":1},\n{"a":"${'x'.repeat(2_000_001)}"}]`, options);
  t.is(
    list,
    'Value 2 of the list, which begins on line 2, has more than 2,000,000 characters, which is the most that is read. Perhaps it never ends.',
  );
  t.regex(await whyRefused('externalId;title;price\nA;"a;1\n'), /quote that opens on line 2 is never closed/);
});
