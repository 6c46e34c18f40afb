import { gzipSync } from 'node:zlib';
import test from 'ava';
import { read, whyRefused } from './support.ts';

const header = 'externalId;title;price\r\n';
const title = 'Strålkastare “vänster” – 15’ €';
const row = `A;${title};450\r\n`;

/** The bytes of Windows-1252, which Node can't write. */
function asWindows1252(text: string): Uint8Array {
  const signs = new Map(Object.entries({ '€': 0x80, '“': 0x93, '”': 0x94, '–': 0x96, '’': 0x92 }));
  return Uint8Array.from([...text].map((character) => signs.get(character) ?? character.charCodeAt(0)));
}

/** Under another name for å, ä and ö. */
const asBytes = (text: string, letters: Readonly<Record<string, number>>): Uint8Array =>
  Uint8Array.from([...text].map((character) => letters[character] ?? character.charCodeAt(0)));

const utf16be = (text: string): Uint8Array => Buffer.from(text, 'utf16le').swap16();

for (const [name, content, told] of [
  ['UTF-8', header + row, []],
  ['UTF-8 with a mark', `\uFEFF${header}${row}`, []],
  ['Windows-1252', asWindows1252(header + row), ['The file is not UTF-8; it is read as windows-1252.']],
  ['UTF-16 with a mark', Buffer.from(`\uFEFF${header}${row}`, 'utf16le'), []],
  ['UTF-16 without one', Buffer.from(header + row, 'utf16le'), ['The file is not UTF-8; it is read as utf-16le.']],
  ['big-endian UTF-16 with a mark', utf16be(`\uFEFF${header}${row}`), []],
  ['big-endian UTF-16 without one', utf16be(header + row), ['The file is not UTF-8; it is read as utf-16be.']],
] as const)
  test(`${name} is recognised, every letter and sign is right, and a guess is told`, async (t) => {
    const { items, remarks } = await read(content);
    t.is(items[2]?.['title'], title);
    t.deepEqual(
      remarks.filter((remark) => !remark.includes('imageUrls')),
      told,
    );
  });

test('Excel for Mac ends lines with CR and writes Mac OS Roman', async (t) => {
  const text = 'externalId;title;price\rA;Bromsskiva höger på;10\r';
  const { items } = await read(asBytes(text, { å: 0x8c, ä: 0x8a, ö: 0x9a }));
  t.is(items[2]?.['title'], 'Bromsskiva höger på');
});

test('the first letter that is no ASCII may stand at the end of a long file', async (t) => {
  const rows = Array.from({ length: 5_000 }, (_, n) => `A${n};Dorr;1\r\n`).join('');
  const { items } = await read(asWindows1252(`${header}${rows}B;Dörr;1\r\n`), { pieceBytes: 1_000 });
  t.is(items[5_002]?.['title'], 'Dörr');
});

test('what an old program wrote as DOS does is refused and not garbled', async (t) => {
  const dos = asBytes(`${header}A;Strålkastare höger;10\r\n`, { å: 0x86, ä: 0x84, ö: 0x94 });
  t.regex(await whyRefused(dos), /neither UTF-8 nor, judging by its letters, Windows-1252 \(line 2\)/);
});

test('a file of two encodings is refused with a line of each', async (t) => {
  const mixed = Buffer.concat([Buffer.from(`${header}A;Dörr;1\r\n`), Buffer.from('B;Dörr;1\r\n', 'latin1')]);
  t.regex(await whyRefused(mixed), /line 2 is UTF-8, line 3 is not/);
  t.regex(await whyRefused(mixed, { encoding: 'utf-8' }), /not utf-8 \(line 3\)/);
});

test('an encoding that is named is taken, but a byte order mark counts before it', async (t) => {
  const named = { encoding: 'latin1' };
  t.is((await read(Buffer.from(`${header}A;Dörr;1`, 'latin1'), named)).items[2]?.['title'], 'Dörr');
  t.is((await read(`\uFEFF${header}A;Dörr;1`, named)).items[2]?.['title'], 'Dörr');
  t.regex(await whyRefused(header, { encoding: 'cp850' }), /The encoding "cp850" is not supported/);
});

for (const [name, content, told] of [
  [
    'an Excel workbook',
    Buffer.from('PK\u0003\u0004\u0014\0\u0006\0\b\0\0\0!\0[Content_Types].xml'),
    /Excel workbook \(\.xlsx\): open it in Excel, save it as "CSV UTF-8"/,
  ],
  ['an old Excel workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), /an old Excel workbook/],
  [
    'an OpenDocument spreadsheet',
    Buffer.from('PK\u0003\u0004mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
    /OpenDocument/,
  ],
  ['an archive', Buffer.from('PK\u0003\u0004\u0014\0lager.csv'), /ZIP archive/],
  ['a packed file', gzipSync('externalId'), /compressed with gzip/],
  ['a PDF', Buffer.from('%PDF-1.7'), /PDF/],
  ['XML', Buffer.from('<?xml version="1.0"?><items/>'), /XML/],
  ['an image', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a]), /not a text file/],
  ['nothing', Buffer.from(' \r\n\t'), /empty/],
] as const)
  test(`${name} is named for what it is, also when an encoding was named`, async (t) => {
    t.regex(await whyRefused(content), told);
    if (name.includes('workbook')) t.regex(await whyRefused(content, { encoding: 'windows-1252' }), told);
  });
