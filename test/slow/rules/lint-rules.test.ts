import { join } from 'node:path';

import test from 'ava';
import { ESLint } from 'eslint';

// On a build server the parser would take the file from the disk instead of the text that is given here.
process.env['TSESTREE_SINGLE_RUN'] = 'false';
const repositoryRoot = join(import.meta.dirname, '../../..');
const eslint = new ESLint({ cwd: repositoryRoot });

/** Names of the rules that this text would break if it stood in that file. */
async function brokenRules(filePath: string, lines: readonly string[]): Promise<string[]> {
  const [result] = await eslint.lintText(`${lines.join('\n')}\n`, { filePath: join(repositoryRoot, filePath) });
  return (result?.messages ?? []).map((message) => message.ruleId ?? message.message);
}

const speaks: readonly { readonly guarantee: string; readonly rule: string; readonly lines: readonly string[] }[] = [
  {
    guarantee: 'a promise that nobody waits for',
    rule: '@typescript-eslint/no-floating-promises',
    lines: ['export function f(): void {', '  Promise.resolve(1);', '}'],
  },
  {
    guarantee: 'a promise that is only marked as void',
    rule: '@typescript-eslint/no-floating-promises',
    lines: ['export function f(): void {', '  void Promise.resolve(1);', '}'],
  },
  {
    guarantee: 'an async callback whose promise nobody looks at',
    rule: '@typescript-eslint/no-misused-promises',
    lines: [
      'export const f = (list: readonly Promise<void>[]): void => {',
      '  list.forEach(async (one) => {',
      '    await one;',
      '  });',
      '};',
    ],
  },
  {
    guarantee: 'any',
    rule: '@typescript-eslint/no-explicit-any',
    lines: ['export const f = (value: any): unknown => value;'],
  },
  {
    guarantee: 'a non-null assertion',
    rule: '@typescript-eslint/no-non-null-assertion',
    lines: ['export const first = (list: readonly string[]): string => list[0]!;'],
  },
  {
    guarantee: 'a type assertion',
    rule: '@typescript-eslint/consistent-type-assertions',
    lines: ['export const f = (value: unknown): string => value as string;'],
  },
  {
    guarantee: 'a switch that forgets a case',
    rule: '@typescript-eslint/switch-exhaustiveness-check',
    lines: [
      "export function f(kind: 'a' | 'b'): number {",
      '  switch (kind) {',
      "    case 'a':",
      '      return 1;',
      '  }',
      '  return 2;',
      '}',
    ],
  },
  {
    guarantee: 'an inline type import, which would load the module and slip past the dependency rules',
    rule: '@typescript-eslint/no-import-type-side-effects',
    lines: ["import { type Logger } from 'pino';", 'export type L = Logger;'],
  },
  { guarantee: 'process.env', rule: 'no-restricted-properties', lines: ['export const home = process.env.HOME;'] },
  {
    guarantee: 'env from node:process',
    rule: 'no-restricted-imports',
    lines: ["import { env } from 'node:process';", 'export const home = env.HOME;'],
  },
  {
    guarantee: 'a fourth parameter',
    rule: '@typescript-eslint/max-params',
    lines: ['export const f = (a: number, b: number, c: number, d: number): number => a + b + c + d;'],
  },
  { guarantee: 'a barrel', rule: 'no-restricted-syntax', lines: ["export * from 'pino';"] },
  { guarantee: 'a default export', rule: 'no-restricted-syntax', lines: ['export default 1;'] },
  {
    guarantee: 'a disabled rule without a reason',
    rule: 'local/escape-says-why',
    lines: [
      '// eslint-disable-next-line @typescript-eslint/no-explicit-any',
      'export const f = (value: any): unknown => value;',
    ],
  },
];

for (const { guarantee, rule, lines } of speaks) {
  test.serial(`lint refuses ${guarantee}`, async (t) => {
    t.deepEqual(await brokenRules('platform/logger.ts', lines), [rule]);
  });
}

test.serial('a rule may be left where the comment gives the reason', async (t) => {
  const lines = [
    '// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- checked by the line above',
    'export const f = (value: unknown): string => value as string;',
  ];
  t.deepEqual(await brokenRules('platform/logger.ts', lines), []);
});

test.serial('platform/config.ts may read the environment', async (t) => {
  t.deepEqual(await brokenRules('platform/config.ts', ['export const home = process.env.HOME;']), []);
});
