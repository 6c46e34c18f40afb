import test from 'ava';
import { isError, withApiWorld, type Reply } from '../support/api-world.ts';
import { few, limitOf, limitsOn, type Limited } from '../support/with-limits.ts';

const world = withApiWorld(test);
const withLimits = limitsOn(world);
const read = (limited: Limited, apiKey: string, reference: string) =>
  limited.call('GET', '/integration/v1/items/A1', { apiKey, headers: { 'x-partner-account': reference } });

test('a loop for one member of a reseller leaves the others their share, and takes nothing from the key', async (t) => {
  await withLimits({ key: few(12), member: few(5) }, async (limited) => {
    const reseller = await world().reseller();
    const [one, two] = [await world().memberOf(reseller), await world().memberOf(reseller)];
    const loop = [];
    for (let call = 0; call < 20; call += 1) loop.push(await read(limited, reseller.apiKey, one.reference));
    t.deepEqual([...new Set(loop.slice(5).map(({ status }) => status))], [429]);
    t.is(loop.filter(({ status }) => status === 404).length, 5);
    t.is(limitOf(loop[0] as Reply)?.split(';')[0], '"member"');
    t.is(loop[0]?.headers.get('ratelimit-policy'), '"member";q=5;w=5000');
    isError(t, loop[19] as Reply, { status: 429, code: 'RATE_LIMITED' });
    const others = [];
    for (let call = 0; call < 5; call += 1) others.push(await read(limited, reseller.apiKey, two.reference));
    t.deepEqual(
      others.map(({ status }) => status),
      [404, 404, 404, 404, 404],
    );
    // The key paid for ten calls: what was refused for the one member cost it nothing.
    const own = () => limited.call('GET', '/integration/v1/items/A1', { apiKey: reseller.apiKey });
    const replies = [await own(), await own(), await own()];
    t.deepEqual(
      replies.map(({ status }) => status),
      [404, 404, 429],
    );
    t.is(limitOf(replies[0] as Reply)?.split(';')[0], '"key"');
  });
});

test('what the key refuses takes nothing from its members, and the tighter limit is told', async (t) => {
  await withLimits({ key: few(3), member: few(3) }, async (limited) => {
    const reseller = await world().reseller();
    const [one, two] = [await world().memberOf(reseller), await world().memberOf(reseller)];
    const replies = [];
    for (const { reference } of [one, two, one, two, two, two])
      replies.push(await read(limited, reseller.apiKey, reference));
    t.deepEqual(
      replies.map(({ status }) => status),
      [404, 404, 404, 429, 429, 429],
    );
    t.deepEqual(
      replies.map((reply) => limitOf(reply)?.split(';', 2).join(';')),
      ['"key";r=2', '"key";r=1', '"key";r=0', '"key";r=0', '"key";r=0', '"key";r=0'],
    );
  });
});

test('a reference that means another member now counts for that one, and another key has shares of its own', async (t) => {
  await withLimits({ member: few(2) }, async (limited) => {
    const reseller = await world().reseller();
    const [one, two] = [await world().memberOf(reseller), await world().memberOf(reseller)];
    const again = await world().call('POST', '/integration/api-keys/generate', { token: reseller.token });
    const { apiKey } = reseller;
    const rename = (id: string, externalId: string) =>
      world().call('PUT', `/business/my-profile/connections/${id}`, { token: reseller.token, body: { externalId } });
    const statuses = [];
    for (let call = 0; call < 3; call += 1) statuses.push((await read(limited, apiKey, one.reference)).status);
    t.deepEqual(statuses, [404, 404, 429]);
    t.is((await read(limited, again.body.apiKey, one.reference)).status, 404);
    await rename(one.id, 'moved');
    await rename(two.id, one.reference);
    t.is((await read(limited, apiKey, 'moved')).status, 429, 'a new name makes no new share');
    t.is((await read(limited, apiKey, two.reference)).status, 403);
  });
});
