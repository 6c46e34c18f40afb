import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

import { repositoryRoot } from './source-files.ts';

/** The repository's own rules, read from the file that `npm run checks -- rules` uses. */
export const readRules = (): Promise<ICruiseOptions> =>
  extractDepcruiseOptions(join(repositoryRoot, '.dependency-cruiser.mjs'));

const tsConfig = extractTSConfig(join(repositoryRoot, 'tsconfig.json'));

/** Runs the rules over everything under `root`. */
export async function cruiseTree(root: string, rules: ICruiseOptions): Promise<ICruiseResult> {
  const result = await cruise(['.'], { ...rules, baseDir: root }, {}, { tsConfig });
  if (typeof result.output === 'string') throw new Error(`expected a result, got: ${result.output.slice(0, 200)}`);
  return result.output;
}

/** Names of the rules that a tree of files breaks, each once, sorted. */
export async function namesOfBrokenRules(
  files: Readonly<Record<string, string>>,
  rules: ICruiseOptions,
): Promise<string[]> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'itembridge-rules-')));
  try {
    await Promise.all(Object.entries({ ...packages, ...files }).map(([path, text]) => write(join(root, path), text)));
    const result = await cruiseTree(root, rules);
    return [...new Set(result.summary.violations.map((violation) => violation.rule.name))].sort();
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

// Empty stand-ins, so that the examples resolve as they would in the repository, whatever is installed.
const dependencies = [
  ...['express', 'jsonwebtoken', 'mongodb', 'mongoose', 'p-limit', 'prom-client', 'sharp', 'undici'],
  ...['@temporalio/activity', '@temporalio/client', '@temporalio/worker', '@temporalio/workflow'],
];
const devDependencies = ['fast-check'];
const asVersions = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '1.0.0']));

const packages: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    type: 'module',
    dependencies: asVersions(dependencies),
    devDependencies: asVersions(devDependencies),
  }),
  ...Object.fromEntries(
    [...dependencies, ...devDependencies].flatMap((name) => [
      [
        `node_modules/${name}/package.json`,
        JSON.stringify({ name, version: '1.0.0', type: 'module', exports: './index.js' }),
      ],
      [`node_modules/${name}/index.js`, 'export default {};\n'],
    ]),
  ),
};
