import test from 'ava';
import { inTransaction } from '../../platform/database/transaction.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { aGate } from '../support/a-gate.ts';
import { isError, withApiWorld } from '../support/api-world.ts';
import { until } from '../support/until.ts';

const world = withApiWorld(test);

/** Whether the row was still locked by a transaction of another process when `work` had ended. */
async function whileLocked<Result>(account: string, work: () => Promise<Result>) {
  const rows = itemCollection(world().store);
  const row = { accountId: account, externalId: 'locked' };
  const [locked, over] = [aGate(), aGate()];
  let isHeld = false;
  const transaction = inTransaction(world().store, async (session) => {
    await rows.updateOne(row, { $set: { requestId: 'killed' } }, { session });
    locked.open();
    await over.opened;
    isHeld = (await rows.findOne(row, { session }).catch(() => null)) !== null;
    throw new Error('it was killed');
  });
  const ended = transaction.catch(() => undefined);
  await locked.opened;
  const result = await work();
  over.open();
  await ended;
  return { isHeld, result };
}

// specification: an-engine-that-is
test.serial(
  'a row that a killed process has locked: its writer gets a 503 within seconds, others write on, and later so does it',
  async (t) => {
    const { id, apiKey } = await world().account();
    const put = (externalId: string, title: string) => {
      const body = { title, description: 'A thing', price: 100, imageUrls: [] };
      return world().call('PUT', `/integration/v1/items/${externalId}`, { apiKey, body });
    };
    for (const name of ['locked', 'free']) t.is((await put(name, 'Before')).status, 202);
    // On a busy machine the server may end the transaction, after five seconds, before the writer gives up: then once more.
    const answer = await until('a lock outlives the patience of its writer', async () => {
      const { isHeld, result } = await whileLocked(id, () => {
        const writing = put('locked', 'During');
        return put('free', 'During').then(async ({ status }) => ({ status, writing: await writing }));
      });
      t.is(result.status, 202);
      return isHeld && result.writing;
    });
    isError(t, answer, { status: 503, code: 'UNAVAILABLE' });
    t.truthy(answer.headers.get('retry-after'));
    t.is((await put('locked', 'After')).status, 202);
  },
);
