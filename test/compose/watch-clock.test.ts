import test from 'ava';
import { pino } from 'pino';
import { createServiceMetrics } from '../../compose/service-metrics.ts';
import { clockWatch } from '../../compose/watch-service.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { withDatabase } from '../support/with-database.ts';
import { present } from '../support/clock.ts';

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

/** A process whose clock is ahead by so much, which the test may change. */
function aProcess(aheadMs: number) {
  const clock = { aheadMs };
  const lines: string[] = [];
  const logger = pino(
    { formatters: { level: (level) => ({ level }) } },
    {
      write: (line: string) => {
        const { level, msg, aheadMs: said } = JSON.parse(line) as { level: string; msg: string; aheadMs: number };
        // In tens: the answer of the database may take a second on a busy machine.
        lines.push(`${level} ${msg} ${Math.round(said / 10_000) * 10} s`);
      },
    },
  );
  const metrics = createServiceMetrics();
  const look = clockWatch({ store, metrics, logger }, () => present(clock.aheadMs));
  const gauge = async (): Promise<number> =>
    Number(/^itembridge_clock_offset_seconds (\S+)$/m.exec(await metrics.expose())?.[1]);
  return { clock, lines, look, gauge };
}

test('a process whose clock is with the database’s says nothing', async (t) => {
  const { look, lines, gauge } = aProcess(0);
  t.false(await look());
  t.deepEqual(lines, []);
  t.true(Math.abs(await gauge()) < 2);
});

for (const [how, aheadMs] of [
  ['ahead', 60_000],
  ['behind', -60_000],
] as const)
  test(`a process whose clock is ${how} warns once, again after five minutes, and says when it is over`, async (t) => {
    const { clock, look, lines, gauge } = aProcess(aheadMs);
    await look();
    await look();
    t.deepEqual(lines, [`warn clock.differed ${aheadMs / 1_000} s`]);
    t.true(Math.abs((await gauge()) - aheadMs / 1_000) < 5);
    clock.aheadMs += 300_000;
    await look();
    t.is(lines.at(-1), `warn clock.differed ${aheadMs / 1_000 + 300} s`);
    clock.aheadMs = 0;
    await look();
    await look();
    t.deepEqual(lines.slice(2), ['info clock.agreed 0 s']);
  });

test('what the round trip takes is no difference, and a database that is away is none either', async (t) => {
  let looks = 0;
  const slow = clockWatch(
    { store, metrics: createServiceMetrics(), logger: { warn: t.fail, info: t.fail } },
    // The answer takes ten seconds by this clock, in which the database's time lies.
    () => present(looks++ % 2 === 0 ? -5_000 : 5_000),
  );
  await slow();
  const away = await openTestStore();
  await closeTestStore(away);
  t.false(await clockWatch({ store: away, metrics: createServiceMetrics(), logger: { warn: t.fail, info: t.fail } })());
});
