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
 * The tree of the release before, or of the commit `UPGRADE_FROM`, built as its image is. Builds take a minute, so they are kept by
 * their commit.
 */
export async function formerRelease(): Promise<Release & { readonly commit: string }> {
  const commit = await formerCommit('.', process.env['UPGRADE_FROM']);
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

/** The commit of `wanted`, or of the last tag before HEAD: HEAD itself is tagged when a release is proved. Throws when it is HEAD. */
export async function formerCommit(folder: string, wanted?: string): Promise<string> {
  const git = (...args: readonly string[]) => run('git', args, folder);
  const former = wanted ?? (await git('describe', '--tags', '--abbrev=0', 'HEAD^').catch(() => firstTagged));
  const commit = await git('rev-parse', '--verify', `${former}^{commit}`);
  if (commit === (await git('rev-parse', 'HEAD'))) throw new Error(`${former} is this release, not the one before it`);
  return commit;
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
