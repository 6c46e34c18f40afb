import test, { type ExecutionContext } from 'ava';
import { startMongod, startTemporal } from '../../test/support/servers.ts';
import { until } from '../../test/support/until.ts';
import { assertDeliveries } from './support/assert-deliveries.ts';
import { compileProduct } from './support/compile-product.ts';
import { preparePartners, startDeliveryLoad, type DeliveryLoad } from './support/delivery-load.ts';
import { startDeliveryReceivers, type DeliveryReceivers } from './support/delivery-receivers.ts';
import { longestGapMs } from './support/flow.ts';
import { startSystem, type System } from './support/system.ts';
import { untilTemporalServes } from './support/temporal-serves.ts';

// Hundreds of events (2,000 with CRASH_EVENTS=2000, as docs/evidence/benchmarks.md has it) on their way to five receivers (two answer at once, one late, one fails twice, one always), and a kill in
// the middle: whatever was stored arrives everywhere, and the healthy receivers hardly notice.

let compiledIn: string;
test.before(async () => {
  compiledIn = await compileProduct();
});

/** A multiple of 100. 2,000 take five minutes a test beside the other suites, and find no more than these. */
const eventCount = Number(process.env['CRASH_EVENTS'] ?? 400);

interface Scene {
  readonly system: System;
  readonly receivers: DeliveryReceivers;
  readonly load: DeliveryLoad;
}

async function openScene(
  t: ExecutionContext,
  options: {
    overrides?: Record<string, string>;
    workers?: 2;
    /** By default a fifth has arrived. */
    isInTheMiddle?: (load: DeliveryLoad) => boolean;
  } = {},
): Promise<Scene> {
  t.timeout(1_200_000);
  const receivers = await startDeliveryReceivers();
  t.teardown(() => receivers.close());
  const system = await startSystem(options.overrides, { compiledIn });
  t.teardown(() => system.stop());
  if (options.workers === 2) await system.otherWorker.start();
  const partners = await preparePartners(system, receivers, eventCount);
  const load = startDeliveryLoad(system, partners);
  const arrived = (): number => receivers.arrivals.filter(({ answered }) => answered === 200).length;
  const isInTheMiddle = options.isInTheMiddle ?? (() => arrived() >= eventCount / 5);
  await until('it is in the middle', () => Promise.resolve(arrived() > 0 && isInTheMiddle(load)), 300_000);
  return { system, receivers, load };
}

interface Blow {
  readonly what: string;
  /** Time that the server needed until it answered again; what is beyond is the product's. */
  readonly restart: () => Promise<unknown>;
  readonly kill: () => Promise<void>;
}

/** Kills, starts again at once, waits for the end and says how it went, as one row of a table. */
async function strike(t: ExecutionContext, { system, receivers, load }: Scene, blow: Blow): Promise<void> {
  const arrivedBefore = receivers.arrivals.length;
  await blow.kill();
  const killedAt = Date.now();
  await blow.restart();
  const restartMs = Date.now() - killedAt;
  const end = await assertDeliveries(t, { system, receivers, load });
  const gapMs = longestGapMs(load, receivers.arrivals, killedAt);
  const takenOver = end.interrupted.map(({ createdAt }) => createdAt.getTime() - killedAt);
  const lastMs = (receivers.arrivals.at(-1)?.at ?? killedAt) - killedAt;
  const row = [
    blow.what,
    `${end.deliveries} deliveries, ${arrivedBefore} requests before the kill`,
    `0 missed, ${end.duplicates} twice`,
    `${load.broken} PUTs repeated`,
    `${end.interrupted.length} interrupted, taken over after ${seconds(Math.min(...takenOver))} to ${seconds(Math.max(...takenOver))}`,
    `started again in ${seconds(restartMs)}`,
    `nothing arrived for ${seconds(gapMs)}`,
    `all done after ${seconds(lastMs)}`,
  ];
  t.log(`| ${row.join(' | ')} |`);
}

const seconds = (ms: number): string => (Number.isFinite(ms) ? `${(ms / 1_000).toFixed(1)} s` : '-');

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
