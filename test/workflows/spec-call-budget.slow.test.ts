import test from 'ava';
import { until } from '../support/until.ts';
import { withWorld, type World } from '../support/world.ts';
import { readItem } from '../../features/items/read-item.ts';

let world: World;
withWorld(test, (started) => (world = started), { environment: { MARKETPLACE_CALLS_PER_DAY: '1' } });

// specification: no-budget, while-the-work-waits
test('a publication without call budget waits, visibly, as pending_sync, and is told once', async (t) => {
  const account = await world.account();
  const ids = ['one', 'two', 'three'];
  await Promise.all(ids.map((externalId) => account.push(externalId, {}, { autoPublish: true })));
  const failed = await until('two are told', async () => {
    const received = await account.received('listing.failed');
    return received.length >= 2 && received;
  });
  for (const { body } of failed) {
    t.regex(String(body.data['error']), /^MARKETPLACE_BUDGET_EXHAUSTED: /);
    const { item } = await readItem(world.context, account.scope, body.data.externalId);
    t.like(item, { serviceStatus: 'active', marketplaceStatus: 'pending_sync' });
    t.is(item.processing.waitingFor, 'marketplace_budget');
  }
  const told = (await account.received('listing.failed')).map(({ body }) => body.data.externalId);
  t.is(new Set(told).size, told.length);
});
