import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import fc from 'fast-check';
import { drawCases } from '../support/check-property.ts';
import { furnish, exportOf, sendBack, storedItems } from '../bulk-syncs/support/send-back.ts';
import { runProgram } from '../examples/support/run-program.ts';
import { withApiWorld } from '../support/api-world.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// The file of items, opened and saved by LibreOffice (Debian: libreoffice-calc), and sent back.

const isThere = spawnSync('soffice', ['--version']).status === 0;
const world = withApiWorld(test);

/** Numbers of LibreOffice: separator, quote, encoding (76 UTF-8, 1 Windows-1252), first line, columns, language. */
const languages = { sv: '59,34,76,1,,1053', en: '44,34,76,1,,1033' } as const;
/** How it is saved; "as shown" is what Excel does, too. */
const saved = {
  'with semicolons': '59,34,76,1,,1053,false,true',
  'with commas, every text in quotes': '44,34,76,1,,1033,true,true',
  'with tabs, in Windows-1252': '9,34,1,1,,1053,false,true',
} as const;

async function throughLibreOffice(content: string, { read, write }: { read: string; write: string }): Promise<Buffer> {
  const folder = temporaryFolder('libreoffice');
  const file = join(folder, 'items.csv');
  writeFileSync(file, content);
  const { code, output } = await runProgram(
    [
      ...(['soffice', '--headless', `-env:UserInstallation=file://${join(folder, 'profile')}`] as const),
      ...[`--infilter=CSV:${read}`, '--convert-to', `csv:Text - txt - csv (StarCalc):${write}`],
      ...['--outdir', join(folder, 'saved'), file],
    ],
    { stdin: Buffer.alloc(0) },
  );
  if (code !== 0) throw new Error(output);
  return readFileSync(join(folder, 'saved', 'items.csv'));
}

const chosen = [
  ...['0615', '7312345678901', '1234567890123456', '1E5', '1,5', '1.5', '2026-11-27', '27/11', '1/2', '10:30', '5 %'],
  ...[
    'MAR1',
    '2 maj',
    'DEC-1',
    'true',
    'FALSKT',
    '=1+1',
    '=A1',
    '+46 70',
    '-2',
    '@SUM(A1)',
    '＝1',
    '#REF!',
    '(5)',
    '450 kr',
  ],
  ...[
    "'A",
    "''",
    '="0615"',
    'x;=1',
    'x,@1',
    '"x"',
    'a"b',
    ';',
    ',',
    ' x',
    'x ',
    'A\u00A01',
    'Å-1',
    '€uro',
    '5 pm',
    '0',
    '12345',
  ],
];
const part = fc.constantFrom(
  ...["'", '"', ';', ',', '=', '-', '0', '1', '7', '.', '/', ':', ' ', 'E', 'A', 'ö', 'maj', '%'],
);
const random = drawCases(
  fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
  150,
);
const names = [...new Set([...chosen, ...random])].filter((name) => name.trim() !== '' && !/^\.\.?$/.test(name));

if (!isThere) console.log('skipped: round trips through LibreOffice, because there is no soffice on the PATH');
else {
  for (const [language, read] of Object.entries(languages))
    for (const [how, write] of Object.entries(saved))
      test.serial(
        `the ${language} file of items, saved by LibreOffice ${how} and sent back, changes nothing`,
        async (t) => {
          const account = await world().account();
          const own = how.includes('1252') ? names.filter((name) => !/[^\0-\xFF€]/.test(name)) : names;
          await furnish(world(), account, own);
          const before = await storedItems(world(), account);
          const content = await exportOf(world(), account, { language });
          const { bulk, said } = await sendBack(world(), account, await throughLibreOffice(content, { read, write }));
          t.like(bulk, { unchanged: own.length + 1, created: 0, updated: 0, failed: 0 }, said.join('\n'));
          t.deepEqual(await storedItems(world(), account), before);
        },
      );

  test.serial(
    'an id with line breaks or tabs comes back, or the line says that it has control characters',
    async (t) => {
      const account = await world().account();
      await furnish(world(), account, ['A\nB', 'B\tC', 'C\r\nD', 'D\rE', 'E\u0085F']);
      const content = await exportOf(world(), account, { language: 'sv' });
      const write = saved['with semicolons'];
      const { bulk, errors } = await sendBack(
        world(),
        account,
        await throughLibreOffice(content, { read: languages.sv, write }),
      );
      t.is(Number(bulk.unchanged) + Number(bulk.created), 6);
      t.is(errors.length, 5);
      for (const { details } of errors)
        t.regex((details as { message: string }[]).map(({ message }) => message).join(), /has control characters/);
    },
  );
}
