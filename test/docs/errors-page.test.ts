import { readFileSync } from 'node:fs';
import test from 'ava';
import { refusalStatus } from '../../features/rules/errors.ts';

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
