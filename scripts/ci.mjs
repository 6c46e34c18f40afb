// .ci/run: every check, then every suite; ends with the sum. Steps count as one each.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { runMain } from './report-step.mjs';

const checks = ['lint', 'format:check', 'types', 'rules', 'knip', 'openapi:lint', 'licences', 'audit'];
/** What a check ends with that could not be made here: it counts neither as passed nor as failed, and is named at the end. */
const notRunCode = 75;
const notRun = [];
/** Who waits for an answer gets one: what would not end in this time is not begun, and is named at the end. `CI_MINUTES` gives more. */
const minutesMax = Number(process.env.CI_MINUTES ?? 80);
const startedAt = Date.now();
/** What has not ended by then is ended, and has failed: a hanging step must not take the others' results with it. */
const lastMoment = startedAt + (minutesMax + 5) * 60_000;
/** A check or a suite that takes three times as long as it should hangs. */
const patience = 3;
const checkMinutes = 5;
/** The most important first. Minutes are what two cores take, generously. */
const suites = [
  { name: 'every change', minutes: 15, group: [] },
  { name: 'slow', minutes: 25 },
  { name: 'browser', minutes: 6 },
  { name: 'embedded', minutes: 6 },
  { name: 'crash', minutes: 20 },
  { name: 'demo', minutes: 3, isCheck: true },
  { name: 'schemathesis', minutes: 10, isCheck: true },
];

await runMain(async () => {
  await prepare();
  const folder = mkdtempSync(join(tmpdir(), 'itembridge-ci-'));
  const totals = { passed: 0, failed: 0, failures: [] };
  const add = (result) => {
    totals.passed += result.passed;
    totals.failed += result.failed;
    totals.failures.push(...result.failures);
  };
  for (const check of checks) add(await runCheck(check));
  for (const { name, minutes, isCheck, group = ['--group', name] } of suites) {
    if (isTooLate(name, minutes)) notRun.push(name);
    else add(await (isCheck ? runCheck(name, minutes) : runSuite({ name, minutes, folder, group })));
  }
  rmSync(folder, { recursive: true, force: true });
  if (notRun.length > 0) console.log(`not run, for the reason given there: ${notRun.join(', ')}`);
  // Once more, because they lie thousands of lines above.
  for (const failure of totals.failures) console.log(`failed: ${failure}`);
  console.log(`${totals.passed} passed, ${totals.failed} failed`);
  process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1;
});

function isTooLate(name, minutes) {
  const passed = (Date.now() - startedAt) / 60_000;
  if (passed + minutes <= minutesMax) return false;
  console.log(
    `\n── ${name}: NOT RUN: ${passed.toFixed(0)} of ${minutesMax} minutes (CI_MINUTES) have passed, and it takes about ${minutes}`,
  );
  return true;
}

async function runCheck(name, minutes = checkMinutes) {
  const code = await run({ title: name, minutes, command: ['npm', 'run', '--silent', name] });
  if (code === notRunCode) {
    notRun.push(name);
    return { passed: 0, failed: 0, failures: [] };
  }
  return code === 0 ? { passed: 1, failed: 0, failures: [] } : { passed: 0, failed: 1, failures: [name] };
}

async function runSuite({ name, minutes, folder, group }) {
  const summaryFile = join(folder, `${name}.json`);
  const command = [process.execPath, 'scripts/test.mjs', ...group];
  const code = await run({
    title: `tests: ${name}`,
    minutes,
    command,
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

function run({ title, minutes, command: [command, ...args], environment = {} }) {
  const beganAt = Date.now();
  console.log(`\n── ${title}`);
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...environment },
    });
    const timer = setTimeout(endHanging, Math.min(minutes * patience * 60_000, lastMoment - beganAt), child, title);
    const end = (code) => {
      clearTimeout(timer);
      console.log(
        `── ${title}: ${code === 0 ? 'ok' : code === notRunCode ? 'NOT RUN' : `failed (code ${code})`} (${((Date.now() - beganAt) / 1000).toFixed(1)} s)`,
      );
      resolve(code);
    };
    child.on('error', () => end(127));
    child.on('close', (code) => end(code ?? 1));
  });
}

/** First it may stop what it has started. */
function endHanging(child, title) {
  console.log(`\n── ${title}: takes too long, so it is ended`);
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), 30_000).unref();
}
