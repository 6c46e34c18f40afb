import { readdirSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import pLimit from 'p-limit';
import { startMongod, startTemporal } from '../../test/support/servers.ts';
import { until } from '../../test/support/until.ts';
import type { ReceivedWebhook } from '../../test/support/world.ts';
import { startSystem, type System } from './support/system.ts';

const itemCount = 200;
const pictures = readdirSync('examples/catalogue/images').filter((name) => name.endsWith('.jpg'));
const externalIds = Array.from({ length: itemCount }, (_, n) => `item-${String(n).padStart(3, '0')}`);

const bodyOf = (system: System, externalId: string): object => ({
  title: `Auktion ${externalId}`,
  price: 100,
  imageUrls: [`${system.images.url}/${pictures[externalIds.indexOf(externalId) % pictures.length] ?? ''}`],
  domain: { domain: 'toys' },
  autoPublishTradera: true,
});

interface Push {
  readonly accepted: Set<string>;
  /** Tries that got no answer, or were told to come back. */
  broken: number;
  done: Promise<unknown>;
}

/** Pushes as an ERP does: what wasn't answered is pushed again. */
function pushAll(system: System): Push {
  const limit = pLimit(8);
  const push: Push = { accepted: new Set(), broken: 0, done: Promise.resolve() };
  const pushOne = (externalId: string): Promise<unknown> =>
    until(`${externalId} is accepted`, async () => {
      const status = await system.put(externalId, bodyOf(system, externalId));
      if (status === 202) push.accepted.add(externalId);
      else push.broken += 1;
      return status === 202;
    });
  push.done = Promise.all(externalIds.map((externalId) => limit(() => pushOne(externalId))));
  return push;
}

const liveCount = async (system: System): Promise<number> =>
  (await system.listings()).filter(({ state }) => state === 'active').length;

const untilLive = (system: System, count: number): Promise<unknown> =>
  until(`${count} live`, async () => (await liveCount(system)) >= count, 240_000);

/** Nothing lost, nothing twice: the world after a kill is the world without one. */
async function assertComplete(t: ExecutionContext, system: System): Promise<void> {
  await untilLive(system, itemCount);
  for (const externalId of externalIds) {
    await until(`${externalId} is live`, async () => (await system.status(externalId)).marketplaceStatus === 'active');
  }
  const published = (await system.listings()).filter(({ state }) => state !== 'uncommitted');
  t.is(published.length, itemCount, 'one listing an item');
  t.is(new Set(published.map(({ ownReferences }) => ownReferences[0])).size, itemCount, 'no item has two');
  t.true(
    published.every(({ imageCount }) => imageCount === 1),
    'each listing has its image once',
  );
  const wanted = itemCount * 3;
  await until(
    `${wanted} events`,
    async () => new Set((await system.received()).map(({ body }) => body.eventId)).size >= wanted,
  );
  const received = await system.received();
  for (const type of ['item.created', 'item.images_ready', 'listing.created'])
    t.is(distinct(received, type), itemCount, type);
  t.is(distinct(received), wanted, 'no event besides');
  t.log(`${received.length - wanted} deliveries came twice, with the same eventId`);
}

const distinct = (received: readonly ReceivedWebhook[], type?: string): number =>
  new Set(received.filter(({ body }) => type === undefined || body.eventType === type).map(({ body }) => body.eventId))
    .size;

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
