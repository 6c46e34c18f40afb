import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Kind } from './attackers.ts';
import { exceptions, isAllowed, sharedCollections, technicalCollections } from './exceptions.ts';
import type { Outcome } from './inspect.ts';
import type { Operation } from './operations.ts';
import { ownTitle } from './owner.ts';

export const page = fileURLToPath(new URL('../../../docs/evidence/tenant-isolation.md', import.meta.url));

const begin = '<!-- begin of what `node scripts/test.mjs verification/isolation/write-page.ts` writes -->';
const end = '<!-- end -->';

export interface Matrix {
  readonly operations: readonly Operation[];
  readonly kinds: readonly Kind[];
  readonly outcomes: readonly Outcome[];
}

/** The page as it is, and with the matrix as the tests have found it. */
export async function readPage(matrix: Matrix): Promise<{ readonly now: string; readonly fresh: string }> {
  const now = await readFile(page, 'utf8');
  const [before, rest] = now.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} has no place for the matrix`);
  return { now, fresh: `${before}${begin}\n${written(matrix)}\n${end}${after}` };
}

const written = (matrix: Matrix): string =>
  [
    `${String(matrix.operations.length)} operations, ${String(matrix.kinds.length)} kinds of credentials that are not the account's own.`,
    '',
    ...matrix.kinds.map(({ title, says }, index) => `${String(index + 1)}. **${title}**: ${says}`),
    '',
    table(matrix),
    '',
    '## What is allowed, and why',
    '',
    ...exceptions.map(
      (one) =>
        `- \`${one.operation}\` (${one.kinds?.join(', ') ?? 'everybody'}; ${one.allows.join(', ')}): ${one.reason}`,
    ),
    '',
    '## Collections that hold nothing of an account',
    '',
    ...Object.entries({ ...sharedCollections, ...technicalCollections }).map(
      ([name, reason]) => `- \`${name}\`: ${reason}`,
    ),
  ].join('\n');

function table({ operations, kinds, outcomes }: Matrix): string {
  const titles = [...kinds.map(({ title }) => title), ownTitle];
  const rows = operations.map((operation) => {
    const cells = titles.map((title) => cell(operation, title, outcomes));
    return `| \`${operation.method} ${operation.path}\` | ${credentialNames[operation.credential]} | ${cells.join(' | ')} |`;
  });
  const heads = [...kinds.map((_kind, index) => String(index + 1)), 'itself'];
  return [
    `| operation | asks for | ${heads.join(' | ')} |`,
    `|---|---|${heads.map(() => '---').join('|')}|`,
    ...rows,
  ].join('\n');
}

const credentialNames = { none: 'nothing', key: 'key', session: 'session', either: 'key or session' } as const;

/** The statuses that were answered; `own` where it was a success that concerned the caller alone. */
function cell(operation: Operation, title: string, outcomes: readonly Outcome[]): string {
  const found = outcomes.filter((one) => one.operation.id === operation.id && one.kind === title);
  const statuses = [...new Set(found.map(({ status }) => status))].toSorted((one, other) => one - other);
  const isOwn = title !== ownTitle && operation.credential !== 'none';
  const mark = title !== ownTitle && isAllowed(operation.id, title, 'effect') ? '*' : '';
  return statuses.map((status) => `${String(status)}${status < 300 && isOwn ? ` own${mark}` : ''}`).join(', ');
}
