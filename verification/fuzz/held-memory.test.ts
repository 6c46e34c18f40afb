import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { freePort } from '../../embedded/choose-port.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { heldMemory } from './support/held-memory.ts';

/** Keeps 30 MB, its thread 20, and both have dropped as much again. */
const program = `
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
const megabytes = (count) => Array.from({ length: count }, () => Array.from({ length: 131_072 }, Math.random));
const kept = megabytes(isMainThread ? 30 : 20);
globalThis.dropped = megabytes(isMainThread ? 30 : 20);
globalThis.dropped = undefined;
setInterval(() => kept.length, 1_000);
if (isMainThread) new Worker(process.argv[1]).once('message', () => process.send('ready'));
else parentPort.postMessage('ready');
`;

test('what is kept is counted, in the process and in its thread, and what was dropped is not', async (t) => {
  const file = join(temporaryFolder('held-memory'), 'keeps.mjs');
  writeFileSync(file, program);
  const port = await freePort();
  const child = fork(file, { execArgv: [`--inspect-port=${port}`], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child, 'message');
  const { ownMb, threadsMb, threads } = await heldMemory(child.pid ?? 0, port);
  t.log(`${ownMb} MB and ${threadsMb} MB`);
  t.is(threads, 1);
  t.true(ownMb >= 30 && ownMb < 50);
  t.true(threadsMb >= 20 && threadsMb < 35);
});
