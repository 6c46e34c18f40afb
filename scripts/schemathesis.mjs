// npm run schemathesis [-- flags of schemathesis]: throws generated requests, right and wrong ones, at a real system for every
// operation of its interface document and checks each answer. Needs Python 3.10 with pip; without it says so and ends well.
import { prepare } from './prepare.mjs';
import { reportStep, runMain } from './report-step.mjs';
import { binaryVariables, resolveBinaries } from './resolve-binaries.mjs';
import { installSchemathesis, runSchemathesis } from './schemathesis-tool.mjs';

await runMain(async () => {
  await prepare();
  const python = await installSchemathesis();
  if (python === undefined) {
    console.log('schemathesis was not run: it needs Python 3.10 or later with pip, as "python3" or "python"');
    return;
  }
  Object.assign(process.env, binaryVariables(await resolveBinaries(['temporal', 'mongod'])));
  process.exitCode = await withSystem((target) => runSchemathesis(python, target, { flags: process.argv.slice(2) }));
  process.exit();
});

/** API and worker as processes of their own on new servers, and somebody who may call them. */
async function withSystem(use) {
  const { register } = await import('tsx/esm/api');
  register();
  const { schemathesisTarget, startFuzzSystem } = await import('../verification/fuzz/support/fuzz-system.ts');
  let system;
  await reportStep('starting a system', async () => {
    system = await startFuzzSystem();
  });
  let code = 1;
  try {
    code = await use(await schemathesisTarget(system));
  } finally {
    if (code !== 0) printErrors(system.logSince('api', 0).lines);
    await system.stop();
  }
  return code;
}

/** An answer of 500 says nothing; the API's log says why. */
function printErrors(lines) {
  const errors = lines.filter(({ level }) => level >= 50).map((line) => JSON.stringify(line));
  if (errors.length > 0)
    console.log(`\n${errors.length} errors in the API's log, the first of them:\n${errors.slice(0, 5).join('\n')}`);
}
