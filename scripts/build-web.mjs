// npm run web:build: what browsers get, also compressed: the dashboard in web/dashboard/dist, the reference and the guides in
// web/docs/dist. Does nothing where that is up to date.
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { buildDocs } from './build-docs.mjs';
import { buildOnce } from './build-once.mjs';
import { lastLines, projectRoot, runQuietly } from './prepare.mjs';
import { runMain, SetupError } from './report-step.mjs';

const dashboard = join('web', 'dashboard');

/** @param {string} root folder of the project */
export async function buildWeb(root = projectRoot) {
  await buildDashboard(root);
  await buildDocs(root);
}

async function buildDashboard(root) {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')).packages;
  const packages = ['vite', 'rolldown', 'preact', 'uplot'];
  await buildOnce(root, {
    title: 'building the dashboard',
    result: join(dashboard, 'dist'),
    sources: [
      ...['client', join('features', 'rules', 'counted.ts'), join('features', 'rules', 'state-words.ts')],
      ...['build-web.mjs', 'build-once.mjs'].map((name) => join('scripts', name)),
      ...['src', 'index.html', 'vite.config.ts', 'tsconfig.json'].map((name) => join(dashboard, name)),
    ],
    versions: packages.map((name) => lock[`node_modules/${name}`]?.version).join(' '),
    make: (folder) => runVite(root, folder),
  });
}

async function runVite(root, folder) {
  const vite = join('node_modules', 'vite', 'bin', 'vite.js');

  const args = [vite, 'build', dashboard, '--outDir', basename(folder), '--emptyOutDir', '--logLevel', 'warn'];
  const { code, output } = await runQuietly(process.execPath, args, { cwd: root });
  if (code !== 0) throw new SetupError(`the dashboard could not be built:\n${lastLines(output, 20)}`);
}

if (process.argv[1] === import.meta.filename) await runMain(() => buildWeb());
