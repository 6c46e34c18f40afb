import test from 'ava';
import { withApiWorld } from '../support/api-world.ts';
import { itemListOn } from '../support/item-list-calls.ts';

const world = withApiWorld(test);
const { put, readAll } = itemListOn(world);

// specification: the-list-cursor-pages
test('GET 200: a reader meets each of 500 items once although they and others are written meanwhile', async (t) => {
  const account = await world().account();
  for (let n = 0; n < 500; n += 50)
    await Promise.all(Array.from({ length: 50 }, (_, i) => put(account, `Q${n + i}`, { title: `Sak ${n + i}` })));
  let round = 0;
  const write = async (): Promise<void> => {
    round += 1;
    const ids = Array.from({ length: 20 }, (_, i) => `Q${(round * 97 + i * 13) % 500}`);
    await Promise.all([...new Set(ids)].map((id) => put(account, id, { price: 1_000 + round, title: `Ny ${id}` })));
    await put(account, `new${round}`);
  };
  const ids = (await readAll(account, { limit: '41' }, write)).map(({ externalId }) => externalId);
  const old = ids.filter((id) => id.startsWith('Q'));
  t.is(old.length, 500);
  t.is(new Set(ids).size, ids.length);
});
