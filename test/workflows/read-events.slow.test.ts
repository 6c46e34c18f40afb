import test from 'ava';
import { untilMarketplaceStatus, withWorld, type World } from '../support/world.ts';
import { until } from '../support/until.ts';
import { readEvents } from '../../features/webhooks/read-events.ts';

let world: World;
withWorld(test, (started) => (world = started));

// specification: the-envelope-is-the
test('who reads the feed has, in order and byte for byte, what the endpoint was sent', async (t) => {
  const account = await world.account();
  const externalIds = ['A1', 'A2', 'A3', 'A4', 'A5', 'A6'];
  await Promise.all(externalIds.map((externalId) => account.push(externalId, {}, { autoPublish: true })));
  await Promise.all(externalIds.map((externalId) => untilMarketplaceStatus(account, externalId, 'active')));
  await account.remove('A1');
  // item.created and listing.created of each.
  const received = await until('every event', async () => {
    const all = await account.received();
    return new Set(all.map(({ body }) => body.eventId)).size >= 12 && all;
  });
  const sent = new Map(
    received.map(({ body, rawBase64 }) => [body.eventId, Buffer.from(rawBase64, 'base64').toString()]),
  );
  const read: { eventId: string; data: Readonly<Record<string, unknown>> }[] = [];
  for (let number = 0; read.length < 12; number = read.length) {
    const after = { account: account.id, number, epoch: '' };
    const { events } = await readEvents(world.context, account.scope, { after, limit: 5 });
    read.push(...events);
  }
  t.deepEqual(
    read.map((event) => JSON.stringify(event)),
    read.map(({ eventId }) => sent.get(eventId) ?? 'not sent'),
  );
  t.is(new Set(read.map(({ eventId }) => eventId)).size, 12);
  for (const externalId of externalIds) {
    const sequences = read.filter(({ data }) => data['externalId'] === externalId).map(({ data }) => data['sequence']);
    t.deepEqual(sequences, [1, 2], externalId);
  }
});
