import test from 'ava';
import { startMongod, startTemporal } from '../../test/support/servers.ts';
import { until } from '../../test/support/until.ts';
import { assertComplete, itemCount, liveCount, pushAll, untilLive } from './support/pushed-items.ts';
import { startSystem } from './support/system.ts';

test.serial('the worker is killed in the middle of 200 items: 200 live, 200 listings, every event', async (t) => {
  t.timeout(400_000);
  const system = await startSystem();
  t.teardown(() => system.stop());
  const pushing = pushAll(system);
  await untilLive(system, 40);
  await system.worker.kill9();
  t.log(`killed with ${await liveCount(system)} live`);
  await pushing.done;
  await system.worker.start();
  await assertComplete(t, system);
});

test.serial(
  'the API is killed while 200 items are pushed: what was accepted is published, nothing twice',
  async (t) => {
    t.timeout(400_000);
    const system = await startSystem();
    t.teardown(() => system.stop());
    const pushing = pushAll(system);
    await until('60 are accepted', async () => pushing.accepted.size >= 60);
    await system.api.kill9();
    t.log(`killed with ${pushing.accepted.size} accepted`);
    t.true(pushing.accepted.size < itemCount, 'the kill came in the middle');
    await system.api.start();
    await pushing.done;
    t.true(pushing.broken > 0);
    t.log(`${pushing.broken} pushes got no answer and were repeated`);
    await assertComplete(t, system);
  },
);

test.serial(
  'the Temporal server is killed in the middle of 200 items: 200 live, 200 listings, every event',
  async (t) => {
    t.timeout(400_000);
    const temporal = await startTemporal();
    t.teardown(() => temporal.stop());
    const system = await startSystem({ TEMPORAL_ADDRESS: temporal.address });
    t.teardown(() => system.stop());
    const pushing = pushAll(system);
    await untilLive(system, 40);
    await temporal.kill9();
    t.log(`killed with ${await liveCount(system)} live`);
    await pushing.done;
    await temporal.restart();
    await assertComplete(t, system);
  },
);

test.serial('MongoDB is killed in the middle of 200 items: 200 live, 200 listings, every event', async (t) => {
  t.timeout(400_000);
  const mongod = await startMongod();
  t.teardown(() => mongod.stop());
  const system = await startSystem({ MONGODB_URI: mongod.uri });
  t.teardown(() => system.stop());
  const pushing = pushAll(system);
  await untilLive(system, 40);
  await mongod.kill9();
  t.log(`killed with ${await liveCount(system)} live`);
  await mongod.restart();
  await pushing.done;
  t.log(`${pushing.broken} pushes got no answer or a 503 and were repeated`);
  await assertComplete(t, system);
});
