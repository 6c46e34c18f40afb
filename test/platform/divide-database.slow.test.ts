import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import test from 'ava';
// Defines all collections.
import '../../compose/migrate.ts';
import { differences, divide, divideDatabase } from '../../deploy/mongo/divide.ts';
import { definedShardKeys, openStore, type StoreConnection } from '../../platform/database/connection.ts';
import { testMongodbUri } from '../support/open-test-store.ts';
import { ACluster, startConfigServer } from './support/a-cluster.ts';

const keys = definedShardKeys();
let store: StoreConnection;
let server: Awaited<ReturnType<typeof startConfigServer>>;
test.before(async () => {
  // Not one of the pool's: it gets indexes of its own.
  store = await openStore({ uri: testMongodbUri(), database: `t${randomBytes(6).toString('hex')}` });
  await store.ensureIndexes();
  server = await startConfigServer();
});
test.after.always(async () => {
  await store.connection.dropDatabase();
  await store.close();
  await server.stop();
});
const aCluster = (...shards: readonly string[]): Promise<ACluster> =>
  new ACluster(server.config, store).begin(...shards);
const division = () => ({ database: store.connection.name, keys });

test.serial('a cluster takes the declared keys with a zone for each shard, and shows them', async (t) => {
  const cluster = await aCluster('b', 'a', 'c');
  await divide(cluster, division());
  t.deepEqual(await differences(cluster, division()), []);
  const divided = [...keys].flatMap(([name, key]) => (Object.keys(key).length > 0 ? [name] : []));
  const shown = await cluster.config('collections', {});
  t.deepEqual(shown.map(({ _id }) => String(_id).split('.')[1]).toSorted(), divided.toSorted());
  t.true(divided.includes('items') && !divided.includes('accounts'));
});

test('the scripts define every collection that grows, those of routes as well', (t) => {
  for (const name of ['request_log', 'idempotency_keys', 'bulk_ids'])
    t.not(Object.keys(keys.get(name) ?? {}).length, 0);
  for (const script of ['deploy/mongo/shard.ts', 'verification/sharded/main.ts'])
    t.regex(readFileSync(script, 'utf8'), /^import '[./]+\/compose\/migrate\.ts';$/m, script);
});

test.serial('the rows of an account lie on one shard, in whichever collection', async (t) => {
  const cluster = await aCluster('a', 'b', 'c');
  await divide(cluster, division());
  const parts = { '00': 'a', '54': 'a', '56': 'b', a9: 'b', ab: 'c', ff: 'c' };
  for (const [begin, shard] of Object.entries(parts)) {
    const account = `${begin}dd71cb-3cb4-4782-b470-b85d6954de01`;
    for (const name of ['items', 'events', 'orders', 'deliveries', 'image_usage'])
      t.is(await cluster.shardOf(name, account), shard, `${begin} ${name}`);
    t.is(await cluster.shardOf('image_records', `${account}/hash`), shard);
  }
});

test.serial('again nothing changes, and a further shard gets its part of all ids', async (t) => {
  const cluster = await aCluster('a', 'b');
  await divide(cluster, division());
  const shown = () => Promise.all(['shards', 'collections', 'tags'].map((name) => cluster.config(name, {})));
  const before = await shown();
  await divide(cluster, division());
  t.deepEqual(await shown(), before);
  await cluster.addShard('c');
  t.not((await differences(cluster, division())).length, 0);
  await divide(cluster, division());
  t.deepEqual(await differences(cluster, division()), []);
});

test.serial('what a cluster has otherwise is named', async (t) => {
  const cluster = await aCluster('a', 'b');
  await divide(cluster, { ...division(), keys: new Map([['journal', { accountId: 1 }]]) });
  const asked = new Map(Object.entries({ journal: { accountId: 1, itemId: 1 }, audit: { accountId: 1 } }));
  const { name } = store.connection;
  t.deepEqual(await differences(cluster, { ...division(), keys: asked }), [
    `${name}.journal has the shard key {"accountId":1}, not {"accountId":1,"itemId":1}`,
    `${name}.journal has other ranges of zones`,
    `${name}.audit has the shard key {}, not {"accountId":1}`,
    `${name}.audit has other ranges of zones`,
  ]);
});

test.serial('a server that is no mongos is refused before anything is made', async (t) => {
  const database = `${store.connection.name}_no`;
  const message =
    /^this server is no mongos but a member of the replica set \w+: a database is divided through a mongos/;
  await t.throwsAsync(divideDatabase(testMongodbUri(), { database, keys }), { name: 'NoMongos', message });
  const { databases } = await store.connection.getClient().db('admin').admin().listDatabases();
  t.false(databases.some(({ name }) => name === database));
});
