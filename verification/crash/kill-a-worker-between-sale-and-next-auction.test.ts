import test from 'ava';
import { until } from '../../test/support/until.ts';
import { callAdmin } from '../../test/support/world.ts';
import { startSystem, type System } from './support/system.ts';

let system: System;
test.before(async () => {
  system = await startSystem();
});
test.after.always(() => system.stop());

const pieces = 3;
const names = Array.from({ length: 20 }, (_, number) => `Q${number}`);
const killsWanted = 3;

const items = () => system.foundation.store.connection.collection('items');
const ads = async () => (await system.listings()).filter(({ state }) => state !== 'uncommitted');
const isUp = ({ state }: { state: string }): boolean => state === 'active' || state === 'waiting';

/** A piece is sold and counted, and the next auction is asked for and not begun. */
const between = () =>
  items().findOne({
    accountId: system.accountId,
    quantityLeft: { $gt: 0, $lt: pieces },
    $expr: { $gt: ['$wantedPublication', { $size: '$listings' }] },
  });

async function sellWhatIsUp(): Promise<void> {
  const up = (await system.listings()).filter(({ state }) => state === 'active');
  for (const { itemId } of up) {
    await callAdmin(`${system.marketplace.adminUrl}/listings/${itemId}/bids`, 'POST', { amount: 500 });
    await callAdmin(`${system.marketplace.adminUrl}/listings/${itemId}/end`, 'POST', {});
  }
}

/** `tag` as it was read before the sale. */
const patch = async (externalId: string, quantity: number, tag: string): Promise<number> => {
  const url = `${system.apiUrl}/integration/v1/items/${externalId}/quantity`;
  const headers = { ...system.headers, 'If-Match': tag };
  return (await fetch(url, { method: 'PATCH', headers, body: JSON.stringify({ quantity }) })).status;
};
const tagOf = async (externalId: string): Promise<string> => {
  const url = `${system.apiUrl}/integration/v1/items/${externalId}`;
  return (await fetch(url, { headers: system.headers })).headers.get('etag') ?? '';
};

test('a worker that is killed between a sale and the next auction: each piece is sold once, one auction at a time', async (t) => {
  t.timeout(240_000);
  const body = { title: 'Ratt', price: 100, imageUrls: [], autoPublishTradera: true, quantity: pieces };
  for (const name of names) t.is(await system.put(name, body), 202);
  await until('all are up', async () => (await ads()).filter(isUp).length === names.length);
  const tags = new Map(await Promise.all(names.map(async (name) => [name, await tagOf(name)] as const)));
  let kills = 0;
  const isOver = async () =>
    (await items().countDocuments({ accountId: system.accountId, quantityLeft: 0 })) === names.length;
  await until(
    'all are sold',
    async () => {
      await sellWhatIsUp();
      const caught = kills < killsWanted ? await between() : null;
      if (caught !== null) {
        await system.worker.kill9();
        kills += 1;
        const [externalId, tag] = [String(caught['externalId']), tags.get(String(caught['externalId'])) ?? ''];
        t.is(await patch(externalId, pieces, tag), 412, 'the sale is not counted back while nobody works');
        await system.worker.start();
      }
      return isOver();
    },
    200_000,
  );
  t.true(kills > 0, 'a kill came in between');
  t.log(`${kills} kills between a sale and the next auction`);
  const sold = await until('every sale is told', async () => {
    const told = (await system.received()).filter(({ body: { eventType } }) => eventType === 'item.sold');
    const ids = new Map(told.map(({ body }) => [body.eventId, body]));
    return ids.size >= names.length * pieces && [...ids.values()];
  });
  t.is(sold.length, names.length * pieces);
  for (const name of names) {
    const left = sold.filter(({ data }) => data.externalId === name).map(({ data }) => Number(data['quantityLeft']));
    t.deepEqual(
      left.toSorted((a, b) => b - a),
      [2, 1, 0],
      name,
    );
  }
  const all = await ads();
  t.is(all.length, names.length * pieces);
  t.is(new Set(all.map(({ ownReferences }) => ownReferences.at(-1))).size, all.length, 'no publication twice');
});
