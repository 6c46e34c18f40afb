import { randomBytes } from 'node:crypto';
import test from 'ava';
import { openStore } from '../../platform/database/connection.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { testMongodbUri } from '../../test/support/open-test-store.ts';
import { until } from '../../test/support/until.ts';
import { openLink } from '../chaos/world/proxy.ts';
import { startSystem } from './support/system.ts';

/** Longer than an answer about a key counts. */
const pauseMs = 3_500;

test('an API that is stopped between the answer about a key and its write asks again: the key was revoked', async (t) => {
  t.timeout(180_000);
  const database = `t${randomBytes(6).toString('hex')}`;
  const beside = await openStore({ uri: testMongodbUri(), database });
  const db = beside.connection.getClient().db(database);
  // Tests reach the server over its Unix socket.
  const { me } = (await db.command({ hello: 1 })) as { me: string };
  const link = await openLink(Number(new URL(`mongodb://${me}`).port));
  const system = await startSystem({
    MONGODB_DATABASE: database,
    // What the server calls itself would lead past the link.
    MONGODB_URI: `mongodb://127.0.0.1:${link.port}/?directConnection=true`,
  });
  t.teardown(async () => {
    link.set({ kind: 'pass' });
    await system.stop();
    await beside.close();
    await link.close();
  });
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => process.kill(system.api.pid ?? 0, name);
  const item = { title: 'Dörr', price: 100, imageUrls: [], domain: { domain: 'bildelar' } };
  t.is(await system.put('before', item), 202);

  await db.command({ profile: 2 });
  // The answer about the key is still on its way when the process is stopped.
  link.set({ kind: 'delay', delayMs: 500 });
  const put = system.call('PUT', 'after', item);
  await until('the database has said that the key is active', () =>
    db.collection('system.profile').findOne({ ns: `${database}.api_keys`, 'command.filter._id': { $exists: true } }),
  );
  signal('SIGSTOP');
  const stoppedAt = performance.now();
  await db.command({ profile: 0 });
  await db.collection('api_keys').updateMany({}, { $set: { revokedAt: new Date() } });
  // A real time limit of the process.
  await until('the answer is old', async () => performance.now() - stoppedAt > pauseMs);
  link.set({ kind: 'pass' });
  signal('SIGCONT');
  t.is((await put)?.status, 401);
  t.is(await itemCollection(beside).findOne({ externalId: 'after' }), null);
});
