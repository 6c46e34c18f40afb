import test from 'ava';
import { composeContext } from '../../compose/context.ts';
import type { Scope } from '../../features/rules/scope.ts';
import { findMarketplaceConnection } from '../../features/listings/store/marketplace-connections.ts';
import { resumedPerRound, setMarketplaceConnection } from '../../features/listings/marketplace-connection.ts';
import { until } from '../../test/support/until.ts';
import { callAdmin } from '../../test/support/world.ts';
import { startSystem, type System } from './support/system.ts';

let system: System;
test.before(async () => {
  system = await startSystem();
});
test.after.always(() => system.stop());

const count = resumedPerRound + 10;
const names = Array.from({ length: count }, (_, number) => `A${number}`);
const users = (path = '') => `${system.marketplace.adminUrl}/users${path}`;

const countWaiting = (due?: object): Promise<number> =>
  system.foundation.store.connection.collection('items').countDocuments({
    accountId: system.accountId,
    'processing.waitingFor': 'marketplace_reconnection',
    ...(due !== undefined && { 'processing.notBefore': due }),
  });
const connection = () => findMarketplaceConnection(system.foundation.store, system.accountId);

async function reconnect(): Promise<void> {
  const { accountId } = system;
  const { token } = await callAdmin<{ token: string }>(users(), 'POST', { userId: accountId });
  const scope: Scope = { accountId, actingAccountId: accountId, credential: { kind: 'system' } };
  const { context } = composeContext(system.foundation);
  await setMarketplaceConnection(context, scope, { marketplaceUserId: accountId, token });
}

test('a worker that is killed after a reconnection, before everything is resumed: the next one resumes the rest, once', async (t) => {
  t.timeout(120_000);
  await callAdmin(users(`/${system.accountId}/expire-token`), 'POST');
  const body = { title: 'Väntar', price: 100, imageUrls: [], autoPublishTradera: true };
  for (const name of names) t.is(await system.put(name, body), 202);
  await until('all wait for a reconnection', async () => (await countWaiting()) === count);
  await reconnect();
  // Some were made due, or are up by now, and not all: in the middle.
  await until('it resumes', async () => (await countWaiting({ $gt: new Date() })) < count);
  await system.worker.kill9();
  t.is((await connection())?.resumeOwed, true, 'the kill came in the middle');
  t.log(`killed with ${await countWaiting()} of ${count} waiting`);
  await system.worker.start();
  await until('nothing is owed', async () => (await connection())?.resumeOwed === false);
  const ads = async () => (await system.listings()).filter(({ state }) => state === 'active');
  await until('all are up', async () => (await ads()).length >= count);
  t.is(new Set((await ads()).map(({ ownReferences }) => ownReferences[0])).size, count);
});
