// npm run checks -- schemathesis [flags of schemathesis]: throws generated requests, right and wrong ones, at a real system for every
// operation of its interface document and checks each answer. Needs Python 3.10 with pip; without it says so and ends well.
import { prepare } from './prepare.mjs';
import { runMain } from './report-step.mjs';
import { binaryVariables, resolveBinaries } from './resolve-binaries.mjs';
import { installSchemathesis, runSchemathesis } from './schemathesis-tool.mjs';
import { withSystem } from './with-system.mjs';

await runMain(async () => {
  await prepare();
  const python = await installSchemathesis();
  if (python === undefined) {
    console.log('schemathesis was not run: it needs Python 3.10 or later with pip, as "python3" or "python"');
    return;
  }
  Object.assign(process.env, binaryVariables(await resolveBinaries(['temporal', 'mongod'])));
  process.exitCode = await withSystem(async (system) => {
    const { schemathesisTarget } = await import('../verification/fuzz/support/fuzz-system.ts');
    return runSchemathesis(python, await schemathesisTarget(system), { flags: process.argv.slice(2) });
  });
  process.exit();
});
