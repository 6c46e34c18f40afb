import { readdirSync } from 'node:fs';
import type { ExecutionContext } from 'ava';
import pLimit from 'p-limit';
import { numberEvents } from '../../../features/webhooks/store/events.ts';
import { until } from '../../../test/support/until.ts';
import type { ReceivedWebhook } from '../../../test/support/world.ts';
import { assertLog } from './assert-deliveries.ts';
import type { System } from './system.ts';

export const itemCount = 200;
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
export function pushAll(system: System, put: System['put'] = (externalId, body) => system.put(externalId, body)): Push {
  const limit = pLimit(8);
  const push: Push = { accepted: new Set(), broken: 0, done: Promise.resolve() };
  const pushOne = (externalId: string): Promise<unknown> =>
    until(`${externalId} is accepted`, async () => {
      const status = await put(externalId, bodyOf(system, externalId));
      if (status === 202) push.accepted.add(externalId);
      else push.broken += 1;
      return status === 202;
    });
  push.done = Promise.all(externalIds.map((externalId) => limit(() => pushOne(externalId))));
  return push;
}

export const liveCount = async (system: System): Promise<number> =>
  (await system.listings()).filter(({ state }) => state === 'active').length;

export const untilLive = (system: System, count: number): Promise<unknown> =>
  until(`${count} live`, async () => (await liveCount(system)) >= count, 240_000);

/** Nothing lost, nothing twice: the world after a kill is the world without one. */
export async function assertComplete(t: ExecutionContext, system: System): Promise<void> {
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
  await assertLog(t, system, wanted);
  while (await numberEvents(system.foundation.store, system.accountId));
  const events = await system.foundation.store.connection.collection('events').find({}).sort({ number: 1 }).toArray();
  t.deepEqual(
    events.map(({ number }) => Number(number)),
    Array.from({ length: wanted }, (_, n) => n + 1),
    'events are numbered without a gap',
  );
  t.log(`${received.length - wanted} deliveries came twice, with the same eventId`);
}

const distinct = (received: readonly ReceivedWebhook[], type?: string): number =>
  new Set(received.filter(({ body }) => type === undefined || body.eventType === type).map(({ body }) => body.eventId))
    .size;
