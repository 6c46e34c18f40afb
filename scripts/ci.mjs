// .ci/run: the checks, the tests and a short run of what takes longer; ends with the sum. Checks and programs count as one each.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './checks.mjs';
import { prepare } from './prepare.mjs';
import { runMain } from './report-step.mjs';
import { notRunCode, runStep } from './run-step.mjs';

/** Who waits for an answer gets one: what would not end in this time is not begun, and is named at the end. */
const minutesMax = Number(process.env.CI_MINUTES ?? 15);
const startedAt = Date.now();
/** What has not ended by then is ended, and has failed: a hanging step must not take the others' results with it. */
const lastMoment = startedAt + (minutesMax + 5) * 60_000;

/** The most important first. Minutes are what two cores take, generously. */
const steps = [
  { name: 'every change', minutes: 2, test: [] },
  { name: 'other Nodes', minutes: 1, command: ['npm', 'run', '--silent', 'test:nodes', '--', '--smoke'] },
  { name: 'embedded', minutes: 5, test: ['--group', 'embedded'] },
  { name: 'browser', minutes: 5, test: ['--group', 'browser'] },
  { name: 'demo', minutes: 1, command: ['npm', 'run', '--silent', 'demo'] },
  // The same load and the same faults each time: npm run verify looks further.
  { name: 'crash', minutes: 2, command: ['npm', 'run', '--silent', 'chaos', '--', '--seed', '18', '--minutes', '1'] },
  { name: 'payments', minutes: 1, test: ['test/gateways/stripe-mock.slow.test.ts'] },
  { name: 'schemathesis', minutes: 3, command: ['node', 'scripts/schemathesis.mjs'] },
  { name: 'clients', minutes: 2, command: ['node', 'scripts/clients-check.mjs', '--quick'] },
];
const leftOut = 'npm run test:worlds (other worlds, full counts of properties), npm run verify (hours)';

await runMain(async () => {
  await prepare();
  const folder = mkdtempSync(join(tmpdir(), 'itembridge-ci-'));
  const totals = await runChecks();
  totals.failed = totals.failures.length;
  for (const step of steps) {
    const result = isTooLate(step)
      ? { notRun: [step.name] }
      : await (step.test ? runTests(step, folder) : runProgram(step));
    totals.passed += result.passed ?? 0;
    totals.failed += result.failed ?? 0;
    totals.failures.push(...(result.failures ?? []));
    totals.notRun.push(...(result.notRun ?? []));
  }
  rmSync(folder, { recursive: true, force: true });
  console.log(`\nleft out, because it takes longer: ${leftOut}`);
  if (totals.notRun.length > 0) console.log(`not run, for the reason given there: ${totals.notRun.join(', ')}`);
  // Once more, because they lie thousands of lines above.
  for (const failure of totals.failures) console.log(`failed: ${failure}`);
  console.log(`${totals.passed} passed, ${totals.failed} failed`);
  process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1;
});

function isTooLate({ name, minutes }) {
  const passed = (Date.now() - startedAt) / 60_000;
  if (passed + minutes <= minutesMax) return false;
  console.log(
    `\n── ${name}: NOT RUN: ${passed.toFixed(0)} of ${minutesMax} minutes (CI_MINUTES) have passed, and it takes about ${minutes}`,
  );
  return true;
}

async function runProgram({ name, minutes, command }) {
  const code = await runStep({ title: name, minutes, command, lastMoment });
  if (code === notRunCode) return { notRun: [name] };
  return code === 0 ? { passed: 1 } : { failed: 1, failures: [name] };
}

async function runTests({ name, minutes, test }, folder) {
  const summaryFile = join(folder, `${name}.json`);
  const code = await runStep({
    title: `tests: ${name}`,
    minutes,
    lastMoment,
    command: [process.execPath, 'scripts/test.mjs', ...test],
    environment: { ITEMBRIDGE_TEST_SUMMARY: summaryFile },
  });
  const summary = readSummary(summaryFile);
  // No summary, or none that explains the code: the run itself broke.
  const isBroken = summary === undefined || (code !== 0 && summary.failures.length === 0);
  if (isBroken) return { passed: summary?.passed ?? 0, failed: 1, failures: [`${name}: the run itself broke`] };
  return { ...summary, failures: summary.failures.map((failure) => `${name}: ${failure}`) };
}

function readSummary(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
