import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import test from 'ava';
import ts from 'typescript';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { brokenLint, type BrokenLint } from './broken-lint.ts';

interface Finding {
  readonly filename: string;
  readonly code?: string;
  readonly message: string;
  readonly help?: string;
}

const root = join(import.meta.dirname, '../..');
const config = '.oxlintrc.json';
const disable = '// eslint-disable-next-line @typescript-eslint';
const escaped = `${disable}/consistent-type-assertions -- checked by the line above
export const f = (value: unknown): string => value as string;`;
const escapedForNothing = `${disable}/no-explicit-any -- nothing is left here\nexport const f = 1;`;
const readsEnvironment = 'export const home = process.env.HOME;';
const holdsAny = 'export const f = (value: any): unknown => value;';

const fileOf = ({ folder = 'platform', extension = 'ts' }: BrokenLint, index: number): string =>
  `${folder}/broken-${String(index)}.${extension}`;
const others = {
  'platform/escaped.ts': escaped,
  'platform/escaped-for-nothing.ts': escapedForNothing,
  'compose/config.ts': readsEnvironment,
  'client/generated/sdk.ts': holdsAny,
  'web/dashboard/dist/index.ts': holdsAny,
  'build/index.ts': holdsAny,
};
let findings: readonly Finding[] = [];

/** All texts are looked at in one run, in a folder that has the configuration, the types and nothing else of the project. */
test.before(async () => {
  const folder = temporaryFolder('lint');
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), `${text}\n`);
  };
  for (const path of [config, 'scripts/lint-rules.mjs', 'tsconfig.json', 'web/dashboard/tsconfig.json'])
    await cp(join(root, path), join(folder, path));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [index, broken] of brokenLint.entries()) await write(fileOf(broken, index), broken.text);
  for (const [path, text] of Object.entries(others)) await write(path, text);

  findings = await lint(folder);
});

/** What it finds makes it end with a code that is not 0. */
function lint(folder: string): Promise<Finding[]> {
  const command = [join(root, 'node_modules/oxlint/bin/oxlint'), '--format', 'json'];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: folder }, (_error, output) => {
      resolve((JSON.parse(output) as { diagnostics: Finding[] }).diagnostics);
    });
  });
}

const found = (path: string): Finding[] => findings.filter(({ filename }) => filename === path);

for (const [index, broken] of brokenLint.entries()) {
  const path = fileOf(broken, index);
  test(`lint: ${broken.rule} speaks, and no other rule does (${path})`, (t) => {
    const codes = found(path).map(({ code }) => code);
    t.deepEqual(codes.toSorted(), [broken.rule, ...(broken.also ?? [])].toSorted());
    const [{ message, help } = { message: undefined }] = found(path);
    if (broken.message !== undefined)
      t.true([message, help].includes(broken.message), `${message ?? ''} ${help ?? ''}`);
  });
}

test('lint: every rule that the configuration names is broken on purpose', async (t) => {
  const text = await readFile(join(root, config), 'utf8');
  const { rules } = (ts.parseConfigFileTextToJson(config, text) as { config: { rules: object } }).config;
  const named = Object.keys(rules).map((rule) => (rule.includes('/') ? rule.replace('/', '(') : `eslint(${rule}`));
  const broken = new Set(brokenLint.map(({ rule }) => rule));
  t.deepEqual(
    named.filter((rule) => !broken.has(`${rule})`)),
    [],
  );
});

test('lint: a rule may be left where the comment gives the reason', (t) => {
  t.deepEqual(found('platform/escaped.ts'), []);
});

test('lint: a comment that leaves no rule is refused', (t) => {
  const messages = found('platform/escaped-for-nothing.ts').map(({ message }) => message);
  t.deepEqual(messages, ['Unused eslint-disable directive (no problems were reported).']);
});

test('lint: compose/config.ts may read the environment', (t) => {
  t.deepEqual(found('compose/config.ts'), []);
});

test('lint: nobody looks at what is generated', (t) => {
  for (const path of ['client/generated/sdk.ts', 'web/dashboard/dist/index.ts', 'build/index.ts'])
    t.deepEqual(found(path), [], path);
});
