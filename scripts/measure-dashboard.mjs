// npm run evidence -- screens [--items N]: how many bytes the dashboard is, and how fast it is there with 2,000 items; printed, and
// written into build/evidence/screens.md. BROWSER_TEST_READY_FILE names the ready file of a system that runs already.
import { parseArgs } from 'node:util';
import { buildWeb } from './build-web.mjs';
import { prepare } from './prepare.mjs';
import { runMain } from './report-step.mjs';
import { binaryVariables, resolveBinaries } from './resolve-binaries.mjs';

await runMain(async () => {
  await prepare();
  await buildWeb();
  Object.assign(process.env, binaryVariables(await resolveBinaries(['temporal', 'mongod'])));
  const { register } = await import('tsx/esm/api');
  register();
  const { measureDashboard } = await import('../test/browser/support/measure-dashboard.ts');
  const { values } = parseArgs({ options: { items: { type: 'string', default: '2000' } } });
  await measureDashboard(Number(values.items));
  process.exit();
});
