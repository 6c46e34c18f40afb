import test from 'ava';
import { anItemRequest } from '../support/an-item-request.ts';
import { withWorld, type World } from '../support/world.ts';
import { until } from '../support/until.ts';
import { upsertItem } from '../../features/items/upsert-item.ts';
import { readTimeline } from '../../features/items/read-item.ts';

let world: World;
withWorld(test, (started) => (world = started));

// specification: the-timeline-at-kind
test('what the service does with an item is in its timeline, and no longer carried by the item itself', async (t) => {
  const account = await world.account();
  await account.push('A', { imageUrls: [`${world.images.url}/missing.jpg`] });
  const rows = world.foundation.store.connection.collection('items');
  await until('the item rests with its problem', async () => {
    const row = await rows.findOne({ accountId: account.id, blockedReason: 'images' });
    return row !== null && row['settledRevision'] === row['revision'];
  });
  const { entries } = await readTimeline(world.context, account.scope, { externalId: 'A', limit: 100, before: null });
  t.deepEqual(
    entries.map(({ kind, actor }) => [kind, actor]),
    [
      // Not stored: that it waits for other images now.
      ['waiting', 'service'],
      ['images_ready', 'service'],
      ['created', 'service'],
    ],
  );
  const stored = await world.foundation.store.connection
    .collection('journal')
    .countDocuments({ accountId: account.id });
  t.is(stored, 2);
});

// specification: x-request-id-on
test('the run of an item names the request that began it', async (t) => {
  const account = await world.account();
  const scope = { ...account.scope, requestId: 'req-from-the-erp' };
  const { itemId } = await upsertItem(world.context, scope, {
    externalId: 'B',
    request: anItemRequest({}, { autoPublish: true }),
  });
  const memo = await until('its workflow is there', async () => {
    const described = await world.foundation.client.workflow
      .getHandle(`item:${itemId}`)
      .describe()
      .catch(() => null);
    return described?.memo;
  });
  t.is(memo['requestId'], 'req-from-the-erp');
});
