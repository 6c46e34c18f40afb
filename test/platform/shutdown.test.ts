import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';

interface Stopping {
  readonly child: ChildProcess;
  readonly said: Promise<string>;
  readonly exit: Promise<[code: number | null, signal: string | null]>;
}

async function start(...args: string[]): Promise<Stopping> {
  const child = fork('test/platform/support/stopping-process.ts', args, {
    execArgv: ['--import=tsx'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (child.stdout === null) throw new Error('no output');
  const said = text(child.stdout);
  const exit = once(child, 'exit') as Stopping['exit'];
  await once(child, 'message');
  return { child, said, exit };
}

test('a signal lets the process stop, which then ends with 0', async (t) => {
  const { child, said, exit } = await start('300');
  child.kill('SIGTERM');
  t.deepEqual(await exit, [0, null]);
  t.regex(await said, /"reason":"SIGTERM".*process\.stopping/);
});

test('when stopping fails the process ends with 1 and says why', async (t) => {
  const { child, said, exit } = await start('fails');
  child.kill('SIGTERM');
  t.deepEqual(await exit, [1, null]);
  t.regex(await said, /could not be stopped.*process\.stop_failed/);
});

test('a process that does not stop in time ends with 1 and says so', async (t) => {
  const { child, said, exit } = await start('never', '400');
  child.kill('SIGTERM');
  t.deepEqual(await exit, [1, null]);
  t.regex(await said, /"withinMs":400.*process\.stop_took_too_long/);
});

test('a second signal ends it at once with 1', async (t) => {
  const { child, said, exit } = await start('never');
  child.kill('SIGTERM');
  await pause(600);
  child.kill('SIGTERM');
  t.deepEqual(await exit, [1, null]);
  t.regex(await said, /process\.stop_hurried/);
});

test('the same signal twice at once, as from a terminal, is one', async (t) => {
  const { child, exit } = await start('800');
  child.kill('SIGINT');
  child.kill('SIGTERM');
  t.deepEqual(await exit, [0, null]);
});

test('a parent that goes away stops it, and does not hurry it', async (t) => {
  const { child, exit } = await start('800');
  child.kill('SIGTERM');
  await pause(400);
  child.disconnect();
  t.deepEqual(await exit, [0, null]);
});
