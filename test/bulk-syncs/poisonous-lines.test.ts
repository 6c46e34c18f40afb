import test from 'ava';
import { mongo } from 'mongoose';
import { accountId, bulkSyncId } from '../../features/rules/ids.ts';
import { applyChunk, endBulk, planBulk } from '../../features/bulk-syncs/apply-chunk.ts';
import type { ChunkDependencies } from '../../features/bulk-syncs/apply-piece.ts';
import { withApiWorld } from '../support/api-world.ts';
import { aLine, bulkPath, errorsOf, upload } from './support/bulk-calls.ts';
import { chunkDependencies } from './support/play-bulk.ts';

const world = withApiWorld(test);

const transient = 'TransientTransactionError';
const isPoisonous = (externalId: string): boolean => externalId.startsWith('poison');

/** Whatever is written together with a poisonous item fails, always. */
function poisoned(logged: object[], error: () => Error): ChunkDependencies {
  const dependencies = chunkDependencies(world().store);
  const { lines } = dependencies.items;
  return {
    ...dependencies,
    logger: { error: (...entry: unknown[]) => void logged.push(entry) },
    items: {
      ...dependencies.items,
      lines: {
        ...lines,
        writeWith: (writes, also) =>
          writes.changes.some(({ next }) => isPoisonous(next.externalId))
            ? Promise.reject(error())
            : lines.writeWith(writes, also),
      },
    },
  };
}

/** As the workflow does: again and again, each try a new attempt. */
async function insist(dependencies: ChunkDependencies, id: string, attempts: number): Promise<number> {
  const bulkId = bulkSyncId(id);
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    try {
      for (const accountId of await planBulk(dependencies, bulkId))
        await applyChunk(dependencies, { bulkId, accountId, attempt });
      await endBulk(dependencies, bulkId);
      return attempt;
    } catch {
      // Tried again.
    }
  }
  return Infinity;
}

// specification: a-durable-workflow-works
test('a line that throws whenever it is applied fails alone after some attempts; the others are applied, counts are exact', async (t) => {
  const account = await world().account();
  const lines = [
    aLine('A'),
    aLine('poison', { title: 'geheim' }),
    aLine('B'),
    aLine('A', { price: 7 }),
    aLine('poison'),
  ];
  const { id } = (await upload(world(), account, lines)).body as { id: string };
  const logged: object[] = [];
  t.is(
    await insist(
      poisoned(logged, () => new TypeError('geheim')),
      id,
      6,
    ),
    4,
  );
  const get = (path: string) => world().call('GET', path, { apiKey: account.apiKey });
  t.like((await get(`${bulkPath}/${id}`)).body, { state: 'completed', created: 2, updated: 1, failed: 2 });
  t.like(errorsOf(await get(`${bulkPath}/${id}/errors`)), [
    { line: 2, externalId: 'poison', status: 500, code: 'INTERNAL' },
    { line: 5, externalId: 'poison', status: 500, code: 'INTERNAL' },
  ]);
  t.like(logged, [[{ lines: [2], err: 'TypeError' }], [{ lines: [5], err: 'TypeError' }]]);
  t.notRegex(JSON.stringify(logged), /geheim/);
});

test('while the database is out of reach no line fails for it', async (t) => {
  const account = await world().account();
  const { id } = (await upload(world(), account, [aLine('poison')])).body as { id: string };
  const away = Object.assign(new Error('away'), { name: 'MongoPoolClosedError' });
  t.is(
    await insist(
      poisoned([], () => away),
      id,
      6,
    ),
    Infinity,
  );
  t.is(await insist(chunkDependencies(world().store), id, 1), 1);
  const { body } = await world().call('GET', `${bulkPath}/${id}`, { apiKey: account.apiKey });
  t.like(body, { state: 'completed', created: 1, failed: 0 });
});

test('no line fails because its item is locked, for however long', async (t) => {
  const account = await world().account();
  const { id } = (await upload(world(), account, [aLine('poison')])).body as { id: string };
  const locked = new mongo.MongoServerError({ message: 'WriteConflict', code: 112, errorLabels: [transient] });
  const bulk = { bulkId: bulkSyncId(id), accountId: accountId(account.id) };
  const afterMany = { ...bulk, attempt: 4 };
  await t.throwsAsync(
    applyChunk(
      poisoned([], () => locked),
      afterMany,
    ),
    { name: 'ItemBusy' },
  );
  t.is(await insist(chunkDependencies(world().store), id, 1), 1);
  const { body } = await world().call('GET', `${bulkPath}/${id}`, { apiKey: account.apiKey });
  t.like(body, { state: 'completed', created: 1, failed: 0 });
});
