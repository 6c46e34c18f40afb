import test from 'ava';
import { bulkSyncId } from '../../../core/ids.ts';
import type { ItemLineStore } from '../../../store/items/item-lines.ts';
import { applyChunk, planBulk } from '../../../usecases/bulk-syncs/apply-chunk.ts';
import type { ChunkDependencies } from '../../../usecases/bulk-syncs/write-chunk.ts';
import { withApiWorld } from '../../support/api-world.ts';
import { Died, dyingStore } from '../../support/dying-store.ts';
import { aLine, bulkPath, errorsOf, upload } from '../../bulk-syncs/support/bulk-calls.ts';
import { chunkDependencies, playBulk } from '../../bulk-syncs/support/play-bulk.ts';

const world = withApiWorld(test);

type Death = (dependencies: ChunkDependencies) => ChunkDependencies;

const withWrite = (dependencies: ChunkDependencies, write: ItemLineStore['write']): ChunkDependencies => ({
  ...dependencies,
  items: { ...dependencies.items, lines: { ...dependencies.items.lines, write } },
});

const die = (): never => {
  throw new Died();
};

/** Where the process that applies the chunk is killed. */
const deaths: Readonly<Record<string, Death>> = {
  'before its items are written': (dependencies) => withWrite(dependencies, () => Promise.resolve(die())),
  'when half of its items are written': (dependencies) =>
    withWrite(dependencies, async (changes, options) => {
      await dependencies.items.lines.write(changes.slice(0, Math.ceil(changes.length / 2)), options);
      return die();
    }),
  'when all of its items are written': (dependencies) =>
    withWrite(dependencies, async (changes, options) => {
      await dependencies.items.lines.write(changes, options);
      return die();
    }),
  ...Object.fromEntries(
    [0, 1, 2, 3].map((diesAt): [string, Death] => [
      `before command ${diesAt} of the transaction that counts it`,
      (dependencies) => ({ ...dependencies, store: dyingStore(dependencies.store, diesAt) }),
    ]),
  ),
};

/** A bulk sync that creates 4, updates 3 and empties a field of these, leaves 2 as they are, and fails at 2: one is invalid, one overtaken. */
async function aMixedBulk() {
  const account = await world().account();
  const put = (externalId: string, price: number, fields: object = {}) => {
    const { externalId: _id, ...body } = aLine(externalId, { price, ...fields }) as { externalId: string };
    return world().call('PUT', `/integration/v1/items/${externalId}`, { apiKey: account.apiKey, body });
  };
  for (const n of [0, 1, 2]) await put(`U${n}`, 50, { weightKg: 2 });
  for (const n of [0, 1]) await put(`S${n}`, 100);
  const lines = [
    ...[0, 1, 2, 3].map((n) => aLine(`C${n}`)),
    ...[0, 1, 2].map((n) => aLine(`U${n}`)),
    ...[0, 1].map((n) => aLine(`S${n}`)),
    ...[aLine('bad', { title: '' }), aLine('later')],
  ];
  const { id } = (await upload(world(), account, lines)).body as { id: string };
  await put('later', 7);
  return { account, id, path: `${bulkPath}/${id}` };
}

async function applyDying(id: string, death: Death): Promise<void> {
  const bulkId = bulkSyncId(id);
  const { store } = world();
  for (const accountId of await planBulk(chunkDependencies(store), bulkId))
    await applyChunk(death(chunkDependencies(store)), { bulkId, accountId });
}

const exact = {
  ...{ total: 11, created: 4, updated: 3, unchanged: 2, failed: 2, removed: 0 },
  leftOutFields: [{ field: 'weightKg', lines: 3 }],
};

for (const [where, death] of Object.entries(deaths)) {
  // specification: counts-are-exact-whatever
  test(`a process that dies ${where} leaves exact counts, and every item is written once`, async (t) => {
    const { account, id, path } = await aMixedBulk();
    await t.throwsAsync(applyDying(id, death), { instanceOf: Died });
    await playBulk(chunkDependencies(world().store), id);
    const get = (at: string) => world().call('GET', at, { apiKey: account.apiKey });
    t.like((await get(path)).body, { state: 'completed', ...exact });
    const errors = errorsOf(await get(`${path}/errors`));
    t.deepEqual(
      errors.map(({ line, code }) => [line, code]),
      [
        [10, 'VALIDATION_FAILED'],
        [11, 'CONFLICT'],
      ],
    );
    const items = await world().store.connection.collection('items').find({ accountId: account.id }).toArray();
    t.deepEqual(Object.fromEntries(items.map(({ externalId, revision }) => [String(externalId), Number(revision)])), {
      ...{ C0: 1, C1: 1, C2: 1, C3: 1, U0: 2, U1: 2, U2: 2 },
      ...{ S0: 1, S1: 1, later: 1 },
    });
  });

  // specification: counts-are-exact-whatever
  test(`what a process that died ${where} had begun is finished when it is cancelled meanwhile, so the counts are exact`, async (t) => {
    const { account, id, path } = await aMixedBulk();
    await t.throwsAsync(applyDying(id, death), { instanceOf: Died });
    const { store } = world();
    t.is((await world().call('DELETE', path, { apiKey: account.apiKey })).body.state, 'cancelling');
    await playBulk(chunkDependencies(store), id);
    const { body } = await world().call('GET', path, { apiKey: account.apiKey });
    t.like(body, { state: 'cancelled', ...exact });
    t.is((await world().call('DELETE', path, { apiKey: account.apiKey })).body.state, 'cancelled');
  });
}

// specification: delete-cancels
test('a cancelled bulk sync writes nothing more once it says so', async (t) => {
  const account = await world().account();
  const lines = Array.from({ length: 450 }, (_, n) => aLine(`A${n}`));
  const { id } = (await upload(world(), account, lines)).body as { id: string };
  const { store } = world();
  const dependencies = chunkDependencies(store);
  const bulkId = bulkSyncId(id);
  const [accountId] = await planBulk(chunkDependencies(store), bulkId);
  if (accountId === undefined) throw new Error('nothing to apply');
  t.is((await applyChunk(dependencies, { bulkId, accountId })).kind, 'applied');
  const path = `${bulkPath}/${id}`;
  t.is((await world().call('DELETE', path, { apiKey: account.apiKey })).status, 202);
  t.is((await applyChunk(dependencies, { bulkId, accountId })).kind, 'stopped');
  await playBulk(dependencies, id);
  t.is((await applyChunk(dependencies, { bulkId, accountId })).kind, 'stopped');
  const { body } = await world().call('GET', path, { apiKey: account.apiKey });
  t.like(body, { state: 'cancelled', total: 450, created: 200 });
  t.is(await store.connection.collection('items').countDocuments({ accountId: account.id }), 200);
  t.is(await store.connection.collection('bulk_chunks').countDocuments({ accountId: account.id }), 0);
});
