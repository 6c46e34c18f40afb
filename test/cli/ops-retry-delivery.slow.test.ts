import test from 'ava';
import { readAuditLog } from '../../features/accounts/read-audit-log.ts';
import { retryDelivery } from '../../features/operations/retry-stuck.ts';
import { until } from '../support/until.ts';
import { callAdmin, withWorld, type World } from '../support/world.ts';
import { operationsOf } from './support/ops-world.ts';

let world: World;
withWorld(test, (started) => (world = started));

// specification: receiver-dead
test('an operator sends one event again, and the log of its owner says so', async (t) => {
  const account = await world.account();
  const { adminUrl } = world.receiver;
  const fault = { path: `^/hooks/${account.id}$`, mode: 'status', status: 503 };
  await callAdmin(`${adminUrl}/faults`, 'POST', fault);
  await account.push('A1');
  const deliveries = world.foundation.store.connection.collection<{ _id: string }>('deliveries');
  const given = { accountId: account.id, state: 'given_up' };
  const delivery = await until('it was given up', () => deliveries.findOne(given));
  await callAdmin(`${adminUrl}/faults`, 'DELETE');
  await retryDelivery(operationsOf(world), delivery._id);
  await until('it got through', async () => (await account.received('item.created')).length === 1);
  const page = { filter: { view: 'own' }, before: null, limit: 10 } as const;
  const { entries } = await readAuditLog(world.context, account.scope, page);
  t.like(entries[0], { kind: 'redelivery_requested', actor: { kind: 'operator' } });
});
