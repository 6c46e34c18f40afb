import test from 'ava';
import { afterRestore } from '../../features/operations/after-restore.ts';
import { isError, withApiWorld, type Reply, type TestAccount } from '../support/api-world.ts';

const world = withApiWorld(test);

/** All rows, as a backup has them. Gives what restores them. */
async function backUp(): Promise<() => Promise<void>> {
  const { db } = world().store.connection;
  if (db === undefined) throw new Error('not connected');
  const collections = await db.collections();
  const kept = await Promise.all(collections.map(async (rows) => ({ rows, copies: await rows.find().toArray() })));
  return async () => {
    for (const { rows, copies } of kept) {
      await rows.deleteMany({});
      if (copies.length > 0) await rows.insertMany(copies);
    }
  };
}

async function push({ apiKey }: TestAccount, from: number, count: number): Promise<void> {
  for (let n = from; n < from + count; n += 1) {
    const body = { title: `Number ${n}`, description: 'A thing', price: 100, imageUrls: [] };
    const { status } = await world().call('PUT', `/integration/v1/items/A${n}`, { apiKey, body });
    if (status !== 202) throw new Error(`a push was answered with ${status}`);
  }
}

const read = ({ apiKey }: TestAccount, after?: string): Promise<Reply> =>
  world().call('GET', `/integration/events?${new URLSearchParams(after === undefined ? {} : { after }).toString()}`, {
    apiKey,
  });
const namesOf = ({ body }: Reply): string[] =>
  body.events.map((event: { data: { externalId: string } }) => event.data.externalId);
const restore = (at: Date) => afterRestore(world(), { at });

test.serial(
  'a reader of the feed learns that the database was restored, and then misses nothing of what it has',
  async (t) => {
    const account = await world().account();
    await push(account, 0, 10);
    t.is((await read(account)).body.events.length, 10);
    const backup = await backUp();
    const at = world().now();
    await push(account, 10, 10);
    const before = (await read(account)).body.nextCursor;
    await backup();
    await restore(at);
    await push(account, 20, 10);
    const refused = await read(account, before);
    isError(t, refused, { status: 410, code: 'GONE' });
    t.true(refused.text.includes(at.toISOString()), refused.text);
    const first = await read(account);
    const numbers = [...Array.from({ length: 10 }, (_, n) => n), ...Array.from({ length: 10 }, (_, n) => n + 20)];
    t.deepEqual(
      namesOf(first),
      numbers.map((n) => `A${n}`),
    );
    await push(account, 30, 1);
    t.deepEqual(namesOf(await read(account, first.body.nextCursor)), ['A30']);
  },
);

test.serial(
  'each restore begins another epoch: no cursor of an earlier one names a place, however old it is',
  async (t) => {
    const account = await world().account();
    const cursors = [(await read(account)).body.nextCursor];
    for (let restored = 0; restored < 3; restored += 1) {
      await restore(world().now());
      for (const cursor of cursors) t.is((await read(account, cursor)).status, 410);
      cursors.push((await read(account)).body.nextCursor);
      t.is((await read(account, cursors.at(-1))).status, 200);
    }
    t.is(new Set(cursors).size, 4);
    t.is((await read(account, 'now')).status, 200);
  },
);
