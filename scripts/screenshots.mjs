// npm run evidence -- pictures, or node scripts/screenshots.mjs NAME …: starts the system with its examples, and writes build/screenshots/*.png.
// BROWSER_TEST_READY_FILE names the ready file of a system that runs already.
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
  const { writeScreens } = await import('../test/browser/support/write-screens.ts');
  await writeScreens(process.argv.slice(2));
  process.exit();
});
