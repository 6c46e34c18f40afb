// A system of its own for commands that call one from outside.
import { reportStep } from './report-step.mjs';

/**
 * API and worker as processes of their own on new servers; stopped in any case.
 * @param {(system: import('../verification/fuzz/support/fuzz-system.ts').FuzzSystem) => Promise<number>} use resolves with an exit code
 * @returns {Promise<number>} that code
 */
export async function withSystem(use) {
  const { register } = await import('tsx/esm/api');
  register();
  const { startFuzzSystem } = await import('../verification/fuzz/support/fuzz-system.ts');
  let system;
  await reportStep('starting a system', async () => {
    system = await startFuzzSystem();
  });
  let code = 1;
  try {
    code = await use(system);
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
