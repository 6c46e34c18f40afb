import test from 'ava';
import { createPlaces, Places } from '../../features/accounts/places.ts';
import { withApiWorld, type TestAccount } from '../support/api-world.ts';
import { until } from '../support/until.ts';
import { limitsOn } from '../support/with-limits.ts';

// A file of its own, because a server that stops ends all streams of its world.
const world = withApiWorld(test);

test('streams of one account leave places to others: half of all are for accounts that have none', async (t) => {
  const rules = { eachMax: 3, allMax: 6, refusal: 'Too many streams', retryAfterSeconds: 30 };
  await limitsOn(world)(
    {},
    async ({ url }) => {
      const [crowd, quiet] = [await world().account(), await world().account()];
      const open = async (account: TestAccount) => {
        const headers = { authorization: `Bearer ${account.token}` };
        // The response is kept, because fetch ends the stream of one that is collected as garbage.
        const response = await fetch(`${url}/partner/changes`, { headers });
        return { status: response.status, close: () => response.body?.cancel() };
      };
      const streams = [await open(crowd), await open(crowd), await open(crowd)];
      t.deepEqual(
        streams.map(({ status }) => status),
        [200, 200, 200],
      );
      t.is((await open(crowd)).status, 429);
      const own = await open(quiet);
      t.is(own.status, 200);
      t.is((await open(quiet)).status, 429, 'half of the places are taken');
      // An account without one still has its first; those with one wait until fewer than half are taken.
      await own.close();
      const again = await until('the place of a stream that was closed is free', async () => {
        const next = await open(quiet);
        return next.status === 200 && next;
      });
      for (const stream of [again, ...streams]) await stream.close();
      await until('all places are free', async () => (await open(quiet)).status === 200);
    },
    { places: { ...createPlaces(), stream: new Places(rules) } },
  );
});
