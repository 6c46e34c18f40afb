// `npm run build`: the product as plain JavaScript in dist/, with the workflow code already bundled, so that a worker starts at once,
// the dashboard in web/dashboard/dist, and the packages of the image in build/production.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeProduction } from './production.mjs';

const root = join(import.meta.dirname, '..');

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

rmSync(join(root, 'dist'), { recursive: true, force: true });
run('node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.build.json');
run('dist/workers/build-workflow-bundle.js', 'dist/workflow-bundle.js');
run('scripts/build-web.mjs');
makeProduction(root);
console.log('dist/ is ready: node dist/bin/api.js, WORKFLOW_BUNDLE=dist/workflow-bundle.js node dist/bin/worker.js');
