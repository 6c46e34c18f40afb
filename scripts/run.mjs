// node scripts/run.mjs FILE.ts [arguments]: installs what is missing, finds the server binaries, then runs a TypeScript
// file that needs them (benchmarks, the demo). The file finds them in ITEMBRIDGE_TEMPORAL_BIN and ITEMBRIDGE_MONGOD_BIN.
import { spawn } from 'node:child_process';
import { prepare } from './prepare.mjs';
import { runMain, SetupError } from './report-step.mjs';
import { binaryVariables, resolveBinaries } from './resolve-binaries.mjs';

await runMain(async () => {
  const [file, ...args] = process.argv.slice(2);
  if (file === undefined) throw new SetupError('usage: node scripts/run.mjs FILE.ts [arguments]');
  await prepare();
  const binaries = await resolveBinaries(['temporal', 'mongod']);
  const env = { ...process.env, ...binaryVariables(binaries) };
  const child = spawn(process.execPath, ['--import=tsx', file, ...args], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
});
