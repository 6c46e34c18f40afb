import test from 'ava';
import { inTransaction } from '../../platform/database/transaction.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { aGate } from '../support/a-gate.ts';
import { isError, withApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test);

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
    const [locked, over] = [aGate(), aGate()];
    const transaction = inTransaction(world().store, async (session) => {
      await itemCollection(world().store).updateOne(
        { accountId: id, externalId: 'locked' },
        { $set: { requestId: 'killed' } },
        { session },
      );
      locked.open();
      await over.opened;
      throw new Error('it was killed');
    });
    const end = t.throwsAsync(transaction);
    await locked.opened;
    const writing = put('locked', 'During');
    t.is((await put('free', 'During')).status, 202);
    // Before the lock ends, and before the server ends the transaction after five seconds: then this would be a 202.
    const answer = await writing;
    isError(t, answer, { status: 503, code: 'UNAVAILABLE' });
    t.truthy(answer.headers.get('retry-after'));
    over.open();
    await end;
    t.is((await put('locked', 'After')).status, 202);
  },
);
