import test from 'ava';
import { isAlive } from '../../embedded/is-alive.ts';
import type { ReadyState } from '../../embedded/ready-file.ts';
import { newHome, StartedSystem } from './support/started-system.ts';

/** What a supervisor waits for before it kills. */
const stopMs = 20_000;

async function callItem(ready: ReadyState, request: { method: string; body?: string }): Promise<number> {
  const apiKey = ready.accounts.find(({ role }) => role === 'member')?.apiKey ?? '';
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  return (await fetch(`${ready.apiUrl}/integration/v1/items/SIGNAL-1`, { ...request, headers })).status;
}

// Each start is a whole system: one after the other on a small machine.
test.serial(
  'SIGINT and SIGTERM to the npm that was started end every process in time, and the data is there after',
  async (t) => {
    t.timeout(600_000);
    const home = newHome();
    let system: StartedSystem | undefined;
    t.teardown(() => system?.discard());
    const start = async (): Promise<ReadyState> => {
      system = await StartedSystem.launch({ home, throughNpm: true });
      return system.ready();
    };

    for (const [signal, isThere] of [
      ['SIGINT', false],
      ['SIGTERM', true],
    ] as const) {
      const ready = await start();
      t.is(await callItem(ready, { method: 'GET' }), isThere ? 200 : 404, 'what was written before the last stop');
      const body = JSON.stringify({ title: 'Kaffekvarn', price: 90, imageUrls: [] });
      t.is(await callItem(ready, { method: 'PUT', body }), 202);
      const signalledAt = performance.now();
      system?.child.kill(signal);
      await system?.exited;
      t.true(performance.now() - signalledAt < stopMs, signal);
      for (const [name, pid] of Object.entries(ready.processes))
        t.false(isAlive(pid), `${signal}: ${name} is still there`);
    }
  },
);
