// npm run checks: what can be said of the project without running it. Two checks at a time.
import { fileURLToPath } from 'node:url';
import { prepare } from './prepare.mjs';
import { runMain } from './report-step.mjs';
import { notRunCode, runStep } from './run-step.mjs';

/** The longest first, so that both places are taken until the end. The last asks the package registry. */
const checks = [
  'lint',
  'types',
  'rules',
  'knip',
  'packages:check',
  'openapi:lint',
  'format:check',
  'licences',
  'runtimes',
  'audit',
];

/** @returns {Promise<{ passed: number, failures: string[], notRun: string[] }>} names of checks */
export async function runChecks() {
  const codes = new Map();
  const waiting = [...checks];
  const takeTurns = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const command = ['npm', 'run', '--silent', name];
      codes.set(name, await runStep({ title: name, command, minutes: 5, besideOthers: true }));
    }
  };
  await Promise.all([takeTurns(), takeTurns()]);
  const notRun = checks.filter((name) => codes.get(name) === notRunCode);
  const failures = checks.filter((name) => codes.get(name) !== 0 && !notRun.includes(name));
  return { passed: checks.length - failures.length - notRun.length, failures, notRun };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await runMain(async () => {
    await prepare();
    const { passed, failures, notRun } = await runChecks();
    for (const name of notRun) console.log(`not run, for the reason given there: ${name}`);
    console.log(failures.length === 0 ? `${passed} checks passed` : `failed: ${failures.join(', ')}`);
    process.exitCode = failures.length === 0 ? 0 : 1;
  });
