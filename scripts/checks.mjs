// npm run checks [-- NAME … --flags]: what can be said of the project without running it, two checks at a time; or the named ones, of
// which two more need minutes and other languages. Flags go to the check that is named.
import { fileURLToPath } from 'node:url';
import { prepare } from './prepare.mjs';
import { readNames } from './read-names.mjs';
import { runMain } from './report-step.mjs';
import { notRunCode, runStep } from './run-step.mjs';

const { execPath: node } = process;
const installed = (...command) => ['npx', '--no', '--', ...command];

/** The longest first, so that both places are taken until the end. The last asks the package registry. */
const checks = {
  lint: installed('oxlint'),
  types: ['npm', 'run', '--silent', 'types'],
  rules: installed('depcruise', '.', '--output-type', 'err-long'),
  knip: installed('knip'),
  packages: [node, 'scripts/packages.mjs', '--check'],
  openapi: [node, '--import=tsx', 'scripts/openapi.mjs', 'lint'],
  format: installed('oxfmt', '--check', '.'),
  licences: [node, 'scripts/licences.mjs'],
  runtimes: [node, 'scripts/runtimes.mjs'],
  audit: [node, 'scripts/audit.mjs'],
};
const longChecks = {
  clients: [node, 'scripts/clients-check.mjs'],
  schemathesis: [node, 'scripts/schemathesis.mjs'],
};

/**
 * @param {readonly string[]} [names]
 * @param {readonly string[]} [flags]
 * @returns {Promise<{ passed: number, failures: string[], notRun: string[] }>} names of checks
 */
export async function runChecks(names = Object.keys(checks), flags = []) {
  const codes = new Map();
  const waiting = [...names];
  const takeTurns = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const command = [...(checks[name] ?? longChecks[name]), ...flags];
      codes.set(name, await runStep({ title: name, command, minutes: 5, besideOthers: true }));
    }
  };
  await Promise.all([takeTurns(), takeTurns()]);
  const notRun = names.filter((name) => codes.get(name) === notRunCode);
  const failures = names.filter((name) => codes.get(name) !== 0 && !notRun.includes(name));
  return { passed: names.length - failures.length - notRun.length, failures, notRun };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await runMain(async () => {
    const { names, flags } = readNames(process.argv.slice(2), {
      known: Object.keys({ ...checks, ...longChecks }),
      usual: Object.keys(checks),
    });
    await prepare();
    const { passed, failures, notRun } = await runChecks(names, flags);
    for (const name of notRun) console.log(`not run, for the reason given there: ${name}`);
    console.log(failures.length === 0 ? `${passed} checks passed` : `failed: ${failures.join(', ')}`);
    process.exitCode = failures.length === 0 ? 0 : 1;
  });
