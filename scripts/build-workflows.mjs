import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildOnce } from './build-once.mjs';
import { lastLines, projectRoot, runQuietly } from './prepare.mjs';
import { SetupError } from './report-step.mjs';

const result = join('build', 'workflows');
const builder = join('workers', 'build-workflow-bundle.ts');

/** The rules, which workflows may import: those of all nouns and of each. */
function rulesOf(root) {
  const folders = readdirSync(join(root, 'features')).map((noun) => join('features', noun, 'rules'));
  return [join('features', 'rules'), ...folders.filter((folder) => existsSync(join(root, folder)))];
}

/** Bundles the workflow code, about 3 s; does nothing where it has not changed. Resolves with the file for `WORKFLOW_BUNDLE`. */
export async function buildWorkflows(root = projectRoot) {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')).packages;
  const packages = ['@temporalio/worker', '@temporalio/workflow', '@temporalio/common'];
  mkdirSync(join(root, 'build'), { recursive: true });
  await buildOnce(root, {
    title: 'bundling the workflows',
    result,
    sources: ['workflows', ...rulesOf(root), builder],
    versions: packages.map((name) => lock[`node_modules/${name}`]?.version).join(' '),
    isServed: false,
    make: async (folder) => {
      const args = ['--import=tsx', builder, join(folder, 'bundle.js')];
      const { code, output } = await runQuietly(process.execPath, args, { cwd: root });
      if (code !== 0) throw new SetupError(`the workflows could not be bundled:\n${lastLines(output, 20)}`);
    },
  });
  return join(root, result, 'bundle.js');
}
