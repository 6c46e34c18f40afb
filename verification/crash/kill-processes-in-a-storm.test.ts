import test, { type ExecutionContext } from 'ava';
import { startMongod, startTemporal } from '../../test/support/servers.ts';
import { until } from '../../test/support/until.ts';
import { assertEndings } from './support/assert-endings.ts';
import { countChanges } from './support/marketplace-history.ts';
import { prepareStorm, startStorm, type Storm } from './support/storm.ts';
import { startSystem, type System } from './support/system.ts';

// 120 live items, then prices, texts, take-downs, deletes, re-creations, publications, bids, ends and sales all at once,
// and a kill in the middle: whatever was accepted is true at the end, once.

interface Scene {
  readonly system: System;
  readonly storm: Storm;
  /** Says what happened when. */
  readonly log: (what: string) => Promise<void>;
}

async function openScene(t: ExecutionContext, overrides: Record<string, string> = {}): Promise<Scene> {
  t.timeout(500_000);
  const system = await startSystem(overrides);
  t.teardown(() => system.stop());
  const began = Date.now();
  const storm = await prepareStorm(system);
  const changesBefore = await countChanges(system);
  t.log(`${storm.lives.size} items live after ${Math.round((Date.now() - began) / 1000)} s`);
  const stormBegan = Date.now();
  const log = async (what: string): Promise<void> => {
    const changes = (await countChanges(system)) - changesBefore;
    const seconds = ((Date.now() - stormBegan) / 1000).toFixed(1);
    t.log(`${seconds} s: ${what}; ${storm.accepted} writes accepted, ${changes} changes asked of the marketplace`);
  };
  startStorm(system, storm);
  return { system, storm, log };
}

const untilAccepted = (storm: Storm, count: number): Promise<unknown> =>
  until(`${count} writes are accepted`, async () => storm.accepted >= count);

async function finish(t: ExecutionContext, { system, storm, log }: Scene): Promise<void> {
  await storm.done;
  await log(`the last write was accepted, ${storm.broken} tries got no answer or a 503 and were repeated`);
  await assertEndings(t, system, storm);
}

test.serial('the worker is killed twice in a storm of changes: every accepted write is true, once', async (t) => {
  const scene = await openScene(t);
  const { system, storm, log } = scene;
  await untilAccepted(storm, 90);
  await system.worker.kill9();
  await log('worker killed');
  await system.worker.start();
  const changes = await countChanges(system);
  await until('it works again', async () => (await countChanges(system)) >= changes + 25);
  await system.worker.kill9();
  await log('worker killed again');
  await system.worker.start();
  await finish(t, scene);
});

test.serial('the API is killed in a storm of changes: every accepted write is true, once', async (t) => {
  const scene = await openScene(t);
  const { system, storm, log } = scene;
  await untilAccepted(storm, 110);
  await system.api.kill9();
  await log('API killed');
  t.false(storm.isOver, 'the kill came in the middle');
  await system.api.start();
  await finish(t, scene);
  t.true(storm.broken > 0, 'writes were on their way');
});

test.serial('the Temporal server is killed in a storm of changes: every accepted write is true, once', async (t) => {
  const temporal = await startTemporal();
  t.teardown(() => temporal.stop());
  const scene = await openScene(t, { TEMPORAL_ADDRESS: temporal.address });
  const { storm, log } = scene;
  await untilAccepted(storm, 90);
  await temporal.kill9();
  await log('Temporal killed');
  await untilAccepted(storm, 160);
  await log('Temporal starts again');
  await temporal.restart();
  await finish(t, scene);
  t.is(storm.broken, 0, 'writes need no Temporal');
});

test.serial('MongoDB is killed in a storm of changes: every accepted write is true, once', async (t) => {
  const mongod = await startMongod();
  t.teardown(() => mongod.stop());
  const scene = await openScene(t, { MONGODB_URI: mongod.uri });
  const { storm, log } = scene;
  await untilAccepted(storm, 110);
  await mongod.kill9();
  await log('MongoDB killed');
  t.false(storm.isOver, 'the kill came in the middle');
  await mongod.restart();
  await finish(t, scene);
});
