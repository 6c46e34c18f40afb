import test from 'ava';
import { isError, withApiWorld, type Reply } from '../support/api-world.ts';
import { few, limitOf, limitsOn, type Limited } from '../support/with-limits.ts';

const world = withApiWorld(test);
const withLimits = limitsOn(world);
const read = (limited: Limited, apiKey: string, reference: string) =>
  limited.call('GET', '/integration/v1/items/A1', { apiKey, headers: { 'x-partner-account': reference } });

// specification: x-partner-account-is
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

// specification: x-partner-account-is
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

const renamer =
  ({ token }: { token: string }) =>
  (id: string, externalId: string) =>
    world().call('PUT', `/business/my-profile/connections/${id}`, { token, body: { externalId } });

// specification: x-partner-account-is
test('a reference that means another member now counts for that one, by whatever key of the reseller', async (t) => {
  await withLimits({ member: few(2) }, async (limited) => {
    const reseller = await world().reseller();
    const [one, two] = [await world().memberOf(reseller), await world().memberOf(reseller)];
    const again = await world().call('POST', '/integration/api-keys/generate', { token: reseller.token });
    const { apiKey } = reseller;
    const rename = renamer(reseller);
    const statuses = async (reference: string, count: number, key = apiKey) => {
      const got = [];
      for (let call = 0; call < count; call += 1) got.push((await read(limited, key, reference)).status);
      return got;
    };
    t.deepEqual(await statuses(one.reference, 2), [404, 404]);
    t.deepEqual(await statuses(one.reference, 1, again.body.apiKey), [429]);
    await rename(one.id, 'moved');
    await rename(two.id, one.reference);
    t.deepEqual(await statuses(one.reference, 3), [404, 404, 429], 'the share of the one who has it now');
    t.deepEqual(await statuses('moved', 1), [429], 'a new name makes no new share');
    t.deepEqual(await statuses(two.reference, 1), [403]);
  });
});

test('a call under a reference that was another member’s takes nothing from the one who had it', async (t) => {
  await withLimits({ key: few(12), member: few(5) }, async (limited) => {
    const reseller = await world().reseller();
    const [one, two] = [await world().memberOf(reseller), await world().memberOf(reseller)];
    const { apiKey } = reseller;
    const rename = renamer(reseller);
    t.is(
      limitOf(await read(limited, apiKey, one.reference))
        ?.split(';', 2)
        .join(';'),
      '"member";r=4',
    );
    await rename(one.id, 'moved');
    t.is((await read(limited, apiKey, one.reference)).status, 403, 'nobody’s now');
    await read(limited, apiKey, 'moved');
    await rename(one.id, 'moved-on');
    await rename(two.id, 'moved');
    t.is(
      limitOf(await read(limited, apiKey, 'moved'))
        ?.split(';', 2)
        .join(';'),
      '"member";r=4',
    );
    t.is(
      limitOf(await read(limited, apiKey, 'moved-on'))
        ?.split(';', 2)
        .join(';'),
      '"member";r=2',
    );
    // Six calls so far with that of nobody's, each paid once by the key.
    t.is(
      limitOf(await limited.call('GET', '/integration/v1/items/A1', { apiKey }))
        ?.split(';', 2)
        .join(';'),
      '"key";r=6',
    );
  });
});
