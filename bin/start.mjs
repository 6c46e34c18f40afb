// npm start: installs what is missing, then runs the whole system on this machine (embedded/start.ts).
import { buildWeb } from '../scripts/build-web.mjs';
import { buildWorkflows } from '../scripts/build-workflows.mjs';
import { prepare, projectRoot } from '../scripts/prepare.mjs';
import { runMain, SetupError } from '../scripts/report-step.mjs';
import { resolveBinaries } from '../scripts/resolve-binaries.mjs';

await runMain(async () => {
  await prepare();
  const { register } = await import('tsx/esm/api');
  register();
  const { parseStartOptions, startUsage } = await import('../embedded/start-options.ts');
  const options = readOptions(parseStartOptions, startUsage);
  const [binaries, workflowBundle] = await Promise.all([
    resolveBinaries([
      ...(process.env.TEMPORAL_ADDRESS ? [] : ['temporal']),
      ...(process.env.MONGODB_URI ? [] : ['mongod']),
    ]),
    buildWorkflows(),
    buildWeb(),
  ]);
  const { startEmbedded } = await import('../embedded/start.ts');
  process.exitCode = await startEmbedded({
    root: projectRoot,
    options,
    binaries,
    workflowBundle,
    environment: process.env,
    loadPushCatalogue: async () => (await import('../examples/push-catalogue.ts')).pushCatalogue,
  });
  process.exit();
});

function readOptions(parse, usage) {
  try {
    return parse(process.argv.slice(2));
  } catch (error) {
    throw new SetupError(`${error.message}\nUsage: ${usage}`);
  }
}
