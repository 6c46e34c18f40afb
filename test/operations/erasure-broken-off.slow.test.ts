import test from 'ava';
import { mongo } from 'mongoose';
import { eraseAccount } from '../../features/operations/erase-account.ts';
import { aroundStore } from '../support/around-store.ts';
import { aLeaver, endEverything, everyRow, withLeaverWorld } from './support/a-leaver.ts';

const world = withLeaverWorld(test);

/** The process is gone: the driver asks errors for their labels. */
class Died extends mongo.MongoError {}

/** An erasure whose process dies before its step with this number, from 0: a write to the database, the engine or the image store. */
function erasure(email: string, diesAt: number): Promise<unknown> {
  let steps = 0;
  const step = async <Result>(take: () => Promise<Result>): Promise<Result> => {
    if (steps >= diesAt) throw new Died('died');
    steps += 1;
    return take();
  };
  const { store, imageStore, now } = world();
  const operations = {
    store: aroundStore(store, (_name, take) => step(take)),
    imageStore: { ...imageStore, remove: (key: string) => step(() => imageStore.remove(key)) },
    engine: { deleteRuns: () => step(() => Promise.resolve(0)) },
    now,
    settle: () => step(() => Promise.resolve()),
    operator: 'Kim',
  };
  return eraseAccount(operations, email);
}

test('an erasure that dies before any of its steps is ended by the same call: nothing that is left is out of reach', async (t) => {
  t.timeout(300_000);
  const account = await aLeaver(world());
  await endEverything(world(), account);
  const left = async () =>
    [...(await everyRow(world()))].filter(([place, text]) => {
      const isOfOthers =
        place.startsWith('audit ') && !text.startsWith(`{"_id":"${place.slice(6)}","accountId":"${account.id}"`);
      const isKept = /^(orders|deals|marketplace_call_counts) /.test(place) || text.includes('"account_erased"');
      return (
        !isKept && !isOfOthers && [account.id, account.email, account.sandboxId].some((name) => text.includes(name))
      );
    });
  // By which a call sees that its store is that of the worker.
  await world().imageStore.put(`${account.reseller.id}/${'0'.repeat(64)}/thumb.jpg`, Buffer.from('picture'));
  const isFound = async () => (await everyRow(world())).has(`accounts ${account.id}`);
  let deaths = 0;
  // Each call dies one step later than the one before it: a step that an earlier call has taken finds nothing.
  for (;;) {
    try {
      await erasure(account.email, deaths);
      break;
    } catch (error) {
      if (!(error instanceof Died)) throw error;
      deaths += 1;
      // Its row has gone last.
      if (!(await isFound())) break;
    }
  }
  t.true(deaths > 40, String(deaths));
  t.deepEqual(await left(), []);
});
