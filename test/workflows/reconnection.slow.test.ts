import test from 'ava';
import { itemId } from '../../features/rules/ids.ts';
import { itemWorkflowId } from '../../workflows/contracts/workflows.ts';
import { findMarketplaceConnection } from '../../features/listings/store/marketplace-connections.ts';
import { callAdmin, untilMarketplaceStatus, untilReceived, withWorld, type World } from '../support/world.ts';
import { until } from '../support/until.ts';
import { readMarketplaceConnection, setMarketplaceConnection } from '../../features/listings/marketplace-connection.ts';
import { readAuditLog } from '../../features/accounts/read-audit-log.ts';

let world: World;
withWorld(test, (started) => (world = started));

const count = 8;
const names = Array.from({ length: count }, (_, number) => `A${number}`);

// specification: what-an-expired-token, one-listing-failed-per, while-the-work-waits
test('an expired token stops all items of the account, says so once for each, and a new token puts all of them up', async (t) => {
  const { store, client } = world.foundation;
  const account = await world.account();
  const admin = (path: string, body?: unknown) => callAdmin(`${world.marketplace.adminUrl}${path}`, 'POST', body);
  await admin(`/users/${account.id}/expire-token`);
  for (const name of names) await account.push(name, {}, { autoPublish: true });
  const failed = await untilReceived(account, 'listing.failed', count);
  for (const { body } of failed) t.regex(String(body.data['error']), /^MARKETPLACE_TOKEN_EXPIRED: /);
  t.is((await readMarketplaceConnection(world.context, account.scope)).state, 'expired');
  for (const name of names) t.is((await account.status(name)).status.marketplaceStatus, 'pending_sync');
  const waiting = await store.connection.collection('items').find({ accountId: account.id }).toArray();
  t.deepEqual(new Set(waiting.map((row) => row['processing'].waitingFor)), new Set(['marketplace_reconnection']));

  const { token } = await callAdmin<{ token: string }>(`${world.marketplace.adminUrl}/users`, 'POST', {
    userId: account.id,
  });
  await setMarketplaceConnection(world.context, account.scope, { marketplaceUserId: account.id, token });
  for (const name of names) await untilMarketplaceStatus(account, name, 'active');
  await until(
    'nothing is owed',
    async () => (await findMarketplaceConnection(store, account.id))?.resumeOwed === false,
  );
  t.is((await account.received('listing.failed')).length, count);
  for (const name of names) t.is((await account.listings(name)).length, 1);

  const kinds = (
    await readAuditLog(world.context, account.scope, { filter: { view: 'own' }, before: null, limit: 500 })
  ).entries;
  t.deepEqual(
    kinds.map(({ kind }) => kind).filter((kind) => kind.startsWith('marketplace_')),
    ['marketplace_reconnected', 'marketplace_expired', 'marketplace_connected'],
  );
  await holdsNowhere(token);

  async function holdsNowhere(secret: string): Promise<void> {
    const collections = (await store.connection.db?.collections()) ?? [];
    for (const collection of collections) {
      const rows = await collection.find().toArray();
      t.false(JSON.stringify(rows).includes(secret), collection.collectionName);
    }
    for (const row of waiting) {
      const history = await client.workflow.getHandle(itemWorkflowId(itemId(String(row._id)))).fetchHistory();
      t.false(Buffer.from(JSON.stringify(history)).includes(secret));
    }
  }
});
