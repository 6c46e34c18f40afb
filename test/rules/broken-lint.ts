/** Text that breaks one rule of lint, and where it would stand: in the product unless said. */
export interface BrokenLint {
  readonly rule: string;
  readonly text: string;
  readonly folder?: string;
  readonly extension?: string;
  /** Rules that no text can leave alone which breaks this one. */
  readonly also?: readonly string[];
  /** What is said, where the words are ours. */
  readonly message?: string;
}

const type = (rule: string, text: string): BrokenLint => ({ rule: `typescript(${rule})`, text });
const plain = (rule: string, text: string): BrokenLint => ({ rule: `eslint(${rule})`, text });
const ours = (rule: string, text: string, message: string): BrokenLint => ({ rule: `local(${rule})`, text, message });

const inTest = (broken: BrokenLint): BrokenLint => ({ ...broken, folder: 'test/api' });

const onlyConfig = 'Only compose/config.ts reads the environment.';
const lines = (count: number, text: string): string => `${text}\n`.repeat(count);

/** Each rule that .oxlintrc.json names, and some that its category names. */
export const brokenLint: readonly BrokenLint[] = [
  ours(
    'escape-says-why',
    '// eslint-disable-next-line no-console\nconsole.log(1);',
    'Say why: eslint-disable-next-line <rule> -- <reason>',
  ),
  ours(
    'escape-says-why',
    '// oxlint-disable-next-line no-console -- short\nconsole.log(1);',
    'Say why: oxlint-disable-next-line <rule> -- <reason>',
  ),
  ours('no-barrel', "export * from 'pino';", 'No barrels: import from the file that has it.'),
  ours('no-default-export', 'export default 1;', 'Named exports only, so that a name is the same everywhere.'),
  ours(
    'no-for-in',
    'export const f = (o: object): void => {\n  for (const key in o) key.trim();\n};',
    'Use Object.keys or Object.entries: for…in walks the prototype too.',
  ),

  type('no-floating-promises', 'export function f(): void {\n  Promise.resolve(1);\n}'),
  type('no-floating-promises', 'export function f(): void {\n  void Promise.resolve(1);\n}'),
  type(
    'no-misused-promises',
    'export const f = (list: readonly Promise<void>[]): void => {\n  list.forEach(async (one) => {\n    await one;\n  });\n};',
  ),
  type(
    'return-await',
    'export async function f(p: Promise<number>): Promise<number> {\n  try {\n    return p;\n  } catch {\n    return 1;\n  }\n}',
  ),
  type(
    'await-thenable',
    'export const f = async (n: number): Promise<number> => {\n  const x = await n;\n  return x + 1;\n};',
  ),

  type('no-explicit-any', 'export const f = (value: any): unknown => value;'),
  type('no-non-null-assertion', 'export const first = (list: readonly string[]): string => list[0]!;'),
  type('consistent-type-assertions', 'export const f = (value: unknown): string => value as string;'),
  type(
    'switch-exhaustiveness-check',
    "export function f(kind: 'a' | 'b'): number {\n  switch (kind) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n}",
  ),
  type(
    'switch-exhaustiveness-check',
    'export function f(kind: string): number {\n  switch (kind) {\n    case "a":\n      return 1;\n  }\n  return 2;\n}',
  ),
  type('consistent-type-imports', "import { Logger } from 'pino';\nexport type L = Logger;"),
  type('no-import-type-side-effects', "import { type Logger } from 'pino';\nexport type L = Logger;"),
  type('restrict-template-expressions', 'export const f = (list: number[]): string => `${list}`;'),
  type(
    'no-confusing-void-expression',
    'const g = (): void => undefined;\nexport const f = (): unknown => {\n  const x = g();\n  return x;\n};',
  ),
  type('no-unnecessary-condition', 'export const f = (o: { a: number }): number => o?.a;'),
  type('no-unnecessary-condition', 'export const f = (list: { a: number }): number => list.a ?? 1;'),
  type('no-misused-spread', 'export const f = (g: () => number): object => ({ ...g });'),
  plain('no-unused-vars', 'const left = 1;\nexport {};'),
  plain(
    'no-unused-vars',
    'export const f = (): number => {\n  try {\n    return 1;\n  } catch (error) {\n    return 2;\n  }\n};',
  ),
  type('no-unsafe-argument', 'export const f = (g: (n: number) => void): void => g(JSON.parse("1"));'),
  type('no-unsafe-assignment', 'export const f = JSON.parse("1");'),
  type('no-unsafe-call', 'export const f = (): void => {\n  JSON.parse("1")();\n};'),
  type('no-unsafe-function-type', 'export const f = (g: Function): unknown => g;'),
  type('no-unsafe-member-access', 'export const f = (): unknown => JSON.parse("1").a;'),
  type('no-unsafe-return', 'export const f = (): number => JSON.parse("1");'),
  type(
    'use-unknown-in-catch-callback-variable',
    'export const f = (p: Promise<void>): Promise<unknown> => p.catch((error) => Boolean(error));',
  ),
  type('only-throw-error', "export const f = (): never => {\n  throw 'text';\n};"),
  type('prefer-promise-reject-errors', "export const f = (): Promise<never> => Promise.reject('text');"),
  plain(
    'preserve-caught-error',
    'export const f = (g: () => void): void => {\n  try {\n    g();\n  } catch (error) {\n    throw new Error(`lost: ${String(error)}`);\n  }\n};',
  ),
  type('no-deprecated', "export const f = (): string => 'abc'.substr(1);"),
  type('ban-ts-comment', '// @ts-ignore: a reason that is long enough\nexport const f: number = 1;'),
  type('restrict-plus-operands', "export const f = (n: number): string => 'a' + n;"),
  type('no-base-to-string', 'export const f = (o: { a: number }): string => String(o);'),
  type(
    'unbound-method',
    'class A {\n  #n = 1;\n  m(): number {\n    return this.#n;\n  }\n}\nexport const f = (a: A): unknown => {\n  const { m } = a;\n  return m;\n};',
  ),

  inTest(
    ours(
      'no-present-moment',
      'export const f = new Date();',
      'Say which moment: present() of test/support/clock.ts, or a fixed one.',
    ),
  ),
  inTest({
    ...plain('no-restricted-properties', 'export const f = Date.now();'),
    message: 'Use present() of test/support/clock.ts, or a fixed moment; performance.now() measures.',
  }),
  inTest(plain('no-restricted-properties', 'export const f = Math.random();')),
  inTest(
    plain('no-restricted-properties', "import fc from 'fast-check';\nfc.assert(fc.property(fc.nat(), (n) => n >= 0));"),
  ),
  inTest(
    plain('no-restricted-properties', "import fc from 'fast-check';\nfc.check(fc.property(fc.nat(), (n) => n >= 0));"),
  ),
  inTest(plain('no-restricted-properties', "import fc from 'fast-check';\nexport const f = fc.sample(fc.nat());")),
  inTest(plain('no-restricted-imports', "import { randomInt } from 'node:crypto';\nexport const f = randomInt(2);")),

  plain('max-params', 'export const f = (a: number, b: number, c: number, d: number): number => a + b + c + d;'),
  plain('max-lines', `${lines(400, '')}export const f = 1;`),
  plain('max-lines-per-function', `export function f(): void {\n${lines(59, '  Math.random();')}}`),
  {
    ...plain('max-lines-per-function', `export function f(): void {\n${lines(99, '  Math.random();')}}`),
    folder: 'simulators',
  },
  plain(
    'complexity',
    `export const f = (n: number): boolean => ${Array.from({ length: 15 }, (_, i) => `n === ${String(i)}`).join(' || ')} || n > 90;`,
  ),
  plain(
    'max-depth',
    `export const f = (n: number): void => {\n${lines(4, 'if (n > 1) {')}Math.random();\n${lines(4, '}')}};`,
  ),

  plain('no-useless-assignment', 'export const f = (n: number): number => {\n  let x = 1;\n  x = n;\n  return x;\n};'),
  plain(
    'no-useless-constructor',
    'export class A {\n  readonly n = 1;\n  constructor() {}\n  m(): number {\n    return this.n;\n  }\n}',
  ),
  plain('no-regex-spaces', 'export const f = /a  b/u;'),
  type('no-extraneous-class', 'export class A {\n  static readonly n = 1;\n}'),
  {
    ...type('no-non-null-asserted-nullish-coalescing', 'export const f = (o: { n?: number }): number => o.n! ?? 1;'),
    also: ['typescript(no-non-null-assertion)', 'typescript(no-unnecessary-condition)'],
  },
  type('no-unnecessary-boolean-literal-compare', 'export const f = (b: boolean): boolean => b === true;'),
  type('no-unnecessary-template-expression', "export const f = `${'a'}`;"),
  type('no-unnecessary-type-arguments', 'const g = <T = number>(n: T): T => n;\nexport const f = g<number>(1);'),
  {
    ...type('no-unnecessary-type-assertion', 'export const f = (n: number): number => n as number;'),
    folder: 'simulators',
  },
  type('no-unnecessary-type-constraint', 'export const f = <T extends unknown>(n: T): T => n;'),
  type('no-unnecessary-type-conversion', 'export const f = (s: string): string => String(s);'),
  type('no-unnecessary-type-parameters', 'export const f = <T>(n: T): unknown => n;'),
  type(
    'unified-signatures',
    'export function f(n: number): void;\nexport function f(n: string): void;\nexport function f(n: unknown): void {\n  Boolean(n);\n}',
  ),
  type('no-redundant-type-constituents', 'export type T = unknown | string;'),
  type('no-duplicate-type-constituents', "export type T = 'a' | 'a';"),
  {
    ...type('no-meaningless-void-operator', 'export const f = (g: () => undefined): void => {\n  void g();\n};'),
    also: ['typescript(no-confusing-void-expression)'],
  },

  plain('eqeqeq', 'export const f = (n: unknown): boolean => n == 1;'),
  plain('no-array-constructor', 'export const f = new Array(1, 2);'),
  plain(
    'no-case-declarations',
    'export const f = (n: number): number => {\n  switch (n) {\n    case 1:\n      const x = 2;\n      return x;\n    default:\n      return 3;\n  }\n};',
  ),
  plain('no-empty', 'export const f = (g: () => void): void => {\n  try {\n    g();\n  } catch {}\n};'),
  plain(
    'no-fallthrough',
    'export const f = (n: number, g: () => void): void => {\n  switch (n) {\n    case 1:\n      g();\n    default:\n      g();\n  }\n};',
  ),
  plain('no-prototype-builtins', "export const f = (o: object): boolean => o.hasOwnProperty('a');"),
  { ...plain('no-redeclare', 'function a() {}\nfunction a() {}\na();'), extension: 'cjs' },
  plain(
    'no-unexpected-multiline',
    'export const f = (g: (n: number) => number): number => {\n  const h = g\n  (1)\n  return h\n}',
  ),
  plain('no-var', 'export var f = 1;'),
  plain('prefer-const', 'let n = 1;\nexport const f = (): number => n;'),
  plain('prefer-rest-params', 'export function f(): number {\n  return Number(arguments[0]);\n}'),
  plain(
    'prefer-spread',
    'export const f = (g: (...all: number[]) => number, list: number[]): number => g.apply(undefined, list);',
  ),
  type(
    'no-dynamic-delete',
    'export const f = (o: Record<string, number>, key: string): void => {\n  delete o[key];\n};',
  ),
  type('no-empty-object-type', 'export type T = {};'),
  type('no-generated-empty-object-type', 'export type T = Omit<{ a: 1 }, "a">;'),
  type('no-invalid-void-type', 'export type T = void | string;'),
  type('no-mixed-enums', "export enum T {\n  A = 1,\n  B = 'b',\n}"),
  type('no-namespace', 'export namespace N {\n  export const a = 1;\n}'),
  type('no-require-imports', "import pino = require('pino');\nexport const f = pino;"),
  type('prefer-literal-enum-member', 'const n = 1;\nexport enum T {\n  A = n,\n}'),
  {
    ...type(
      'prefer-reduce-type-parameter',
      'export const f = (list: readonly string[]): string[] => list.reduce((all, one) => [...all, one], [] as string[]);',
    ),
    folder: 'simulators',
  },
  type(
    'prefer-return-this-type',
    'export class A {\n  n = 1;\n  set(n: number): A {\n    this.n = n;\n    return this;\n  }\n}',
  ),
  type('related-getter-setter-pairs', 'export interface A {\n  get n(): string;\n  set n(value: number);\n}'),
  type('require-array-sort-compare', 'export const f = (list: number[]): number[] => list.sort();'),

  plain('no-console', 'console.log(1);\nexport {};'),
  {
    ...plain('no-restricted-properties', 'export const home = process.env.HOME;'),
    message: 'Only compose/config.ts reads the environment: add the setting to Config.',
  },
  {
    ...plain('no-restricted-properties', 'process.exit(1);\nexport {};'),
    message:
      'Set process.exitCode or let the shutdown of platform/ end the process, so that work in flight is finished.',
  },
  { ...plain('no-restricted-properties', 'export const home = process.env.HOME;'), folder: 'cli', message: onlyConfig },
  {
    ...plain('no-restricted-imports', "import { env } from 'node:process';\nexport const home = env.HOME;"),
    message: onlyConfig,
  },
  {
    ...plain('no-restricted-imports', "import process from 'node:process';\nexport const home = process.pid;"),
    message: onlyConfig,
  },
  {
    ...plain('no-restricted-imports', "import { pid } from 'process';\nexport const home = pid;"),
    message: onlyConfig,
  },
  { ...plain('no-undef', 'export const f = missing;'), extension: 'mjs' },

  // The dashboard has a project of its own; what is beside the product has the rules of promises too.
  {
    ...type('no-floating-promises', 'export const f = (): void => {\n  document.exitFullscreen();\n};'),
    folder: 'web/dashboard/src',
    extension: 'tsx',
  },
  {
    ...type('no-unsafe-member-access', 'export const f = (): unknown => JSON.parse("1").a;'),
    folder: 'web/dashboard/src',
  },
  ...['test', 'verification', 'bench', 'scripts', 'examples', 'embedded'].map((folder) => ({
    ...type('no-floating-promises', 'export function f(): void {\n  Promise.resolve(1);\n}'),
    folder,
  })),
  {
    ...type('no-floating-promises', 'export function f() {\n  Promise.resolve(1);\n}'),
    folder: 'scripts',
    extension: 'mjs',
  },
];
