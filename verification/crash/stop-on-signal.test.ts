import test from 'ava';
import type { ManagedProcess, ProcessExit } from '../../embedded/managed-process.ts';
import { startSystem, type System } from './support/system.ts';

let system: System;
test.before(async () => {
  system = await startSystem();
});
test.after.always(async () => {
  await system.stop();
});

async function exitAfter(child: ManagedProcess, signal: NodeJS.Signals): Promise<ProcessExit> {
  if (child.pid === undefined) await child.start();
  const { pid } = child;
  if (pid === undefined) throw new Error(`${child.name} does not run`);
  const exit = new Promise<ProcessExit>((resolve) => {
    child.onUnexpectedExit = resolve;
  });
  process.kill(pid, signal);
  return exit;
}

for (const signal of ['SIGQUIT', 'SIGINT', 'SIGTERM'] as const) {
  test.serial(`API and worker drain and end with 0 on ${signal}`, async (t) => {
    const exits = await Promise.all([exitAfter(system.api, signal), exitAfter(system.worker, signal)]);
    // Not ended by the signal itself, which would say so here.
    t.deepEqual(exits, Array(2).fill({ code: 0, signal: null }));
  });
}
