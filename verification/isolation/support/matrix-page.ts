import type { Kind } from './attackers.ts';
import { exceptions, isAllowed, sharedCollections, technicalCollections } from './exceptions.ts';
import type { Outcome } from './inspect.ts';
import type { Operation } from './operations.ts';
import { ownTitle } from './owner.ts';

export interface Matrix {
  readonly operations: readonly Operation[];
  readonly kinds: readonly Kind[];
  readonly outcomes: readonly Outcome[];
}

/** The matrix as the tests have found it. */
export const matrixPage = (matrix: Matrix): string =>
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
