import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { programArguments } from '../../embedded/program-arguments.ts';
import { until } from '../support/until.ts';

interface Stopping {
  readonly child: ChildProcess;
  /** All that it has said so far; that is everything once it has ended. */
  readonly said: () => string;
  readonly exit: Promise<[code: number | null, signal: string | null]>;
}

async function start(...args: string[]): Promise<Stopping> {
  const nodeArguments = programArguments('test/platform/support/stopping-process.ts');
  const child = fork(nodeArguments.at(-1) ?? '', args, {
    execArgv: nodeArguments.slice(0, -1),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (child.stdout === null) throw new Error('no output');
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child.stdout, 'end');
  const exited = once(child, 'exit') as Stopping['exit'];
  const exit = ended.then(() => exited);
  await once(child, 'message');
  return { child, said: () => said, exit };
}

/** A signal that comes within 250 ms of the first is the same wish: this is a real wait, begun when it is known to be stopping. */
async function pauseWhileStopping({ said }: Stopping): Promise<void> {
  await until('it is stopping', () => Promise.resolve(said().includes('process.stopping')));
  await pause(300);
}

test('a signal lets the process stop, which then ends with 0', async (t) => {
  const { child, said, exit } = await start('100');
  child.kill('SIGTERM');
  t.deepEqual(await exit, [0, null]);
  t.regex(said(), /"reason":"SIGTERM".*process\.stopping/);
});

test('when stopping fails the process ends with 1 and says why', async (t) => {
  const { child, said, exit } = await start('fails');
  child.kill('SIGTERM');
  t.deepEqual(await exit, [1, null]);
  t.regex(said(), /could not be stopped.*process\.stop_failed/);
});

test('a process that does not stop in time ends with 1 and says so', async (t) => {
  const { child, said, exit } = await start('never', '100');
  child.kill('SIGTERM');
  t.deepEqual(await exit, [1, null]);
  t.regex(said(), /"withinMs":100.*process\.stop_took_too_long/);
});

test('a second signal ends it at once with 1', async (t) => {
  const stopping = await start('never');
  const { child, said, exit } = stopping;
  child.kill('SIGTERM');
  await pauseWhileStopping(stopping);
  child.kill('SIGTERM');
  t.deepEqual(await exit, [1, null]);
  t.regex(said(), /process\.stop_hurried/);
});

test('the same signal twice at once, as from a terminal, is one', async (t) => {
  const { child, exit } = await start('again');
  child.kill('SIGINT');
  child.kill('SIGTERM');
  t.deepEqual(await exit, [0, null]);
});

test('a parent that goes away stops it, and does not hurry it', async (t) => {
  const stopping = await start('again');
  const { child, exit } = stopping;
  child.kill('SIGTERM');
  await pauseWhileStopping(stopping);
  child.disconnect();
  t.deepEqual(await exit, [0, null]);
});
