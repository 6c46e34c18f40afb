// npm run demo [-- --seed N] [--home FOLDER]: the whole system from an empty state in a folder of its own, the demo on it, and everything stopped again.
// Exits 0 only if every number of the demo is as it must be.
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const text = { type: 'string' };
const { values } = parseArgs({
  options: { seed: { ...text, default: '7' }, home: { ...text, default: '.itembridge/demo' } },
});
/** Emptied at each start, so never the folder of `npm start`. */
const { home, seed } = values;
const readyFile = resolve(root, home, 'ready.json');
/** Installing may take most of it on a slow line; start.mjs shows its steps meanwhile. */
const startMinutesMax = 20;
const stopMs = 30_000;

const startedAt = Date.now();
const environment = { ...process.env, ITEMBRIDGE_HOME: home };
const start = ['bin/start.mjs', '--fresh', '--no-examples', '--quiet', '--port', String(await freePort())];
const system = run(start);
let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(130));

console.log('· starting the system from an empty state …');
try {
  await stop((await isReady()) ? await runDemo() : notStarted());
} catch (error) {
  console.error(error);
  await stop(1);
}

async function runDemo() {
  console.log(`✓ it answers after ${((Date.now() - startedAt) / 1000).toFixed(0)} s`);
  // The receiver's calls are read over HTTPS, and Node takes authorities only at its start.
  const trusting = { NODE_EXTRA_CA_CERTS: resolve(root, home, 'ca-bundle.pem') };
  const demo = run(['--import=tsx', 'examples/demo.ts', '--home', home, '--seed', seed], trusting);
  const first = await Promise.race([demo.ended, system.ended.then(() => 'system')]);
  demo.child.kill();
  if (first !== 'system') return first;
  if (!isStopping) console.error(`\n✗ the system ended in the middle of the demo; its logs are in ${home}/logs`);
  return 1;
}

function notStarted() {
  if (!isStopping) console.error(`✗ the system did not start; its logs are in ${home}/logs`);
  return 1;
}

function run(args, extra = {}) {
  // A group of its own: Ctrl-C comes to this script alone, which stops the others in order.
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...environment, ...extra },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  const ended = new Promise((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('error', () => resolve(1));
  });
  return { child, ended };
}

async function isReady() {
  let hasEnded = false;
  system.ended.then(() => (hasEnded = true)).catch(() => undefined);
  while (!hasEnded && Date.now() - startedAt < startMinutesMax * 60_000) {
    // An older file is what a run that was killed has left, or the run of somebody else.
    if ((statSync(readyFile, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= startedAt) return true;
    await delay(200);
  }
  return false;
}

async function stop(exitCode) {
  if (isStopping) return;
  isStopping = true;
  system.child.kill('SIGINT');
  const wasInTime = await Promise.race([system.ended.then(() => true), delay(stopMs, false)]);
  if (!wasInTime) console.error('✗ the system did not stop in time');
  process.exit(wasInTime ? exitCode : 1);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
