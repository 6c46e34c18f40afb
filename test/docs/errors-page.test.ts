import { readFileSync } from 'node:fs';
import test from 'ava';
import { refusalStatus } from '../../features/rules/errors.ts';
import { fieldProblemCodes, told } from '../../features/rules/field-problems.ts';

const page = readFileSync('docs/reference/errors.md', 'utf8');

/** Codes of the page, by the status under which they stand. */
const codesOfPage = page
  .split(/^## /m)
  .slice(1)
  .flatMap((part) => [...part.matchAll(/^### (\w+)$/gm)].map(([, code]) => [code, Number(part.slice(0, 3))]));

test('every code has a section under its status, and no section is about another code', (t) => {
  t.deepEqual(
    codesOfPage.toSorted((one, other) => String(one[0]).localeCompare(String(other[0]))),
    Object.entries(refusalStatus).toSorted(([one], [other]) => one.localeCompare(other)),
  );
});

/** The sentence of a code with `{max}` for that param. */
const named = new Proxy({}, { get: (_, name) => `{${String(name)}}` });
const sentenceOf = (code: string): string =>
  told(code as never, ...([named] as never)).message.replace('undefined', '…');

test('every code of a field has a row with its sentence, in the order of the table', (t) => {
  const [, table = ''] = page.split('| code | message |\n|---|---|\n');
  t.deepEqual(
    table.split('\n\n')[0]?.trimEnd().split('\n'),
    fieldProblemCodes.map((code) => `| \`${code}\` | ${sentenceOf(code)} |`),
  );
});
