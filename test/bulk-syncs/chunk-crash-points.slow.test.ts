import test from 'ava';
import { accountId, bulkSyncId } from '../../features/rules/ids.ts';
import { createItemLineStore, type ItemLineStore } from '../../features/items/store/item-lines.ts';
import { applyChunk, planBulk } from '../../features/bulk-syncs/apply-chunk.ts';
import type { ChunkDependencies } from '../../features/bulk-syncs/apply-piece.ts';
import { withApiWorld } from '../support/api-world.ts';
import { Died, dyingStore } from '../support/dying-store.ts';
import { aLine, bulkPath, errorsOf, upload } from './support/bulk-calls.ts';
import { chunkDependencies, playBulk } from './support/play-bulk.ts';

const world = withApiWorld(test);

type Death = (dependencies: ChunkDependencies) => ChunkDependencies;

const withWrite = (dependencies: ChunkDependencies, writeWith: ItemLineStore['writeWith']): ChunkDependencies => ({
  ...dependencies,
  items: { ...dependencies.items, lines: { ...dependencies.items.lines, writeWith } },
});

const die = (): never => {
  throw new Died();
};

const times = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** Where the process that applies the chunk is killed. */
const deaths: Readonly<Record<string, Death>> = {
  'before its items are written': (dependencies) => withWrite(dependencies, () => Promise.resolve(die())),
  'when its items are written': (dependencies) =>
    withWrite(dependencies, async (...of) => {
      await dependencies.items.lines.writeWith(...of);
      return die();
    }),
  ...Object.fromEntries(
    times(7).map((diesAt): [string, Death] => [
      `before command ${diesAt} of the transaction that stores its items`,
      (dependencies) => {
        const { writeWith } = createItemLineStore(dyingStore(world().store, diesAt));
        // The driver wraps what it is given.
        return withWrite(dependencies, (...of) => writeWith(...of).catch(die));
      },
    ]),
  ),
  ...Object.fromEntries(
    times(4).map((diesAt): [string, Death] => [
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
    aLine('bad', { title: '' }),
    aLine('later'),
  ];
  const { id } = (await upload(world(), account, lines)).body as { id: string };
  await put('later', 7);
  return { account, id, path: `${bulkPath}/${id}` };
}

async function applyDying(id: string, death: Death, attempt = 1): Promise<void> {
  const bulkId = bulkSyncId(id);
  const { store } = world();
  for (const accountId of await planBulk(chunkDependencies(store), bulkId))
    await applyChunk(death(chunkDependencies(store)), { bulkId, accountId, attempt });
}

const exact = {
  total: 11,
  created: 4,
  updated: 3,
  unchanged: 2,
  failed: 2,
  removed: 0,
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
      C0: 1,
      C1: 1,
      C2: 1,
      C3: 1,
      U0: 2,
      U1: 2,
      U2: 2,
      S0: 1,
      S1: 1,
      later: 1,
    });
  });

  // specification: counts-are-exact-whatever
  test(`what a process that died ${where} has stored is counted when the bulk sync is cancelled meanwhile, and nothing else`, async (t) => {
    const { account, id, path } = await aMixedBulk();
    await t.throwsAsync(applyDying(id, death), { instanceOf: Died });
    const { store } = world();
    t.is((await world().call('DELETE', path, { apiKey: account.apiKey })).body.state, 'cancelling');
    await playBulk(chunkDependencies(store), id);
    const { body } = await world().call('GET', path, { apiKey: account.apiKey });
    t.like(body, { state: 'cancelled', ...(await storedOf(account)) });
    t.is((await world().call('DELETE', path, { apiKey: account.apiKey })).body.state, 'cancelled');
  });
}

/** What the items say of {@link aMixedBulk}: how many lines have created one, and updated one. */
async function storedOf({ id }: { readonly id: string }) {
  const items = world().store.connection.collection('items');
  return {
    created: await items.countDocuments({ accountId: id, externalId: /^C/ }),
    updated: await items.countDocuments({ accountId: id, externalId: /^U/, revision: 2 }),
  };
}

// specification: a-chunk-applied-again
test('a process that dies in the middle of a chunk leaves counts of what it has stored; its successor goes on there', async (t) => {
  for (const isCancelled of [false, true]) {
    const { account, id, path } = await aMixedBulk();
    let written = 0;
    const dying: Death = (dependencies) =>
      withWrite(dependencies, async (...of) => {
        if (written === 5) return die();
        await dependencies.items.lines.writeWith(...of);
        written += 1;
      });
    // As after some failures, when the lines are applied one by one.
    await t.throwsAsync(applyDying(id, dying, 4), { instanceOf: Died });
    if (isCancelled) await world().call('DELETE', path, { apiKey: account.apiKey });
    await playBulk(chunkDependencies(world().store), id);
    const { body } = await world().call('GET', path, { apiKey: account.apiKey });
    t.like(body, { ...(await storedOf(account)), ...(isCancelled ? { created: 4, updated: 1 } : exact) });
  }
});

// specification: a-chunk-applied-again
test('a chunk that two processes apply at once is applied once', async (t) => {
  const { account, id, path } = await aMixedBulk();
  const dependencies = chunkDependencies(world().store);
  const wish = { bulkId: bulkSyncId(id), accountId: accountId(account.id) };
  const steps = await Promise.all([applyChunk(dependencies, wish), applyChunk(dependencies, wish)]);
  t.deepEqual(
    steps.map(({ kind }) => kind),
    ['applied', 'applied'],
  );
  await playBulk(dependencies, id);
  t.like((await world().call('GET', path, { apiKey: account.apiKey })).body, { state: 'completed', ...exact });
});

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
