import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** What runs: this tree, or the release before it. */
export interface Release {
  /** Folder of its sources. */
  readonly root: string;
  readonly entry: (name: 'api' | 'worker') => string;
  readonly workflowBundle: string;
}

export const presentRelease = (): Release => ({
  root: resolve('.'),
  entry: (name) => `bin/${name}.ts`,
  workflowBundle: process.env['TEST_WORKFLOW_BUNDLE'] ?? '',
});

/** v0.9.0, for a clone without tags. */
const firstTagged = '05b1618e3e35844275700c7aed613b42a7b0ccf6';

/**
 * The tree of the last tag, or of the commit `UPGRADE_FROM`, built as its image is. Builds take a minute, so they are kept by their
 * commit.
 */
export async function formerRelease(): Promise<Release & { readonly commit: string }> {
  const wanted =
    process.env['UPGRADE_FROM'] ?? (await run('git', ['describe', '--tags', '--abbrev=0']).catch(() => firstTagged));
  const commit = await run('git', ['rev-parse', '--verify', `${wanted}^{commit}`]);
  const root = resolve('.itembridge', 'upgrade', commit);
  const dist = join(root, 'dist');
  if (!existsSync(join(dist, 'workflow-bundle.js'))) await build(root, commit);
  return {
    commit,
    root,
    entry: (name) => join(dist, 'bin', `${name}.js`),
    workflowBundle: join(dist, 'workflow-bundle.js'),
  };
}

async function build(root: string, commit: string): Promise<void> {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  await run('git', ['archive', '--output', join(root, 'tree.tar'), commit]);
  await run('tar', ['-xf', 'tree.tar'], root);
  await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], root);
  await run(process.execPath, ['deploy/build.mjs'], root);
}

async function run(program: string, args: readonly string[], cwd = '.'): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd, maxBuffer: 100_000_000 });
  return stdout.trim();
}
