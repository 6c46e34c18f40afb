import test from 'ava';
import { startMongod, startTemporal } from '../../test/support/servers.ts';
import { eventCount, openScene, strike } from './support/delivery-scene.ts';
import { untilTemporalServes } from './support/temporal-serves.ts';

// Hundreds of events (2,000 with CRASH_EVENTS=2000) on their way to five receivers (two answer at once, one late, one fails twice, one
// always), and a kill in the middle: what was stored arrives everywhere.

// specification: delivery-is-at-least
test.serial('the worker is killed while events are on their way: each reaches every target', async (t) => {
  const scene = await openScene(t);
  const { worker } = scene.system;
  await strike(t, scene, { what: 'the only worker', kill: () => worker.kill9(), restart: () => worker.start() });
});

// specification: delivery-is-at-least
test.serial('one of two workers is killed while events are on their way: each reaches every target', async (t) => {
  const scene = await openScene(t, { workers: 2 });
  const { worker } = scene.system;
  await strike(t, scene, { what: 'one of two workers', kill: () => worker.kill9(), restart: () => worker.start() });
});

// specification: delivery-is-at-least
test.serial('the API is killed while events are on their way: each reaches every target', async (t) => {
  // PUTs are accepted much faster than their events arrive.
  const scene = await openScene(t, { isInTheMiddle: ({ accepted }) => accepted >= eventCount / 5 });
  const { api } = scene.system;
  t.true(scene.load.accepted < eventCount / 2, 'the kill came in the middle');
  await strike(t, scene, { what: 'the API', kill: () => api.kill9(), restart: () => api.start() });
});

// specification: delivery-is-at-least
test.serial('MongoDB is killed while events are on their way: each reaches every target', async (t) => {
  const mongod = await startMongod();
  t.teardown(() => mongod.stop());
  const scene = await openScene(t, { overrides: { MONGODB_URI: mongod.uri } });
  await strike(t, scene, { what: 'MongoDB', kill: mongod.kill9, restart: mongod.restart });
});

// specification: delivery-is-at-least
test.serial('the Temporal server is killed while events are on their way: each reaches every target', async (t) => {
  const temporal = await startTemporal();
  t.teardown(() => temporal.stop());
  const scene = await openScene(t, { overrides: { TEMPORAL_ADDRESS: temporal.address } });
  const restart = async (): Promise<void> => {
    await temporal.restart();
    await untilTemporalServes(temporal.address);
  };
  await strike(t, scene, { what: 'Temporal', kill: temporal.kill9, restart });
});
