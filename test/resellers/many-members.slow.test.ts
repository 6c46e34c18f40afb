import { randomUUID } from 'node:crypto';
import test from 'ava';
import { withApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test);

/** Memberships of accounts that a stranger has made, all older than those that follow. */
async function joinedByStranger(resellerAccountId: string, count: number): Promise<void> {
  const at = new Date(world().now().getTime() - 86_400_000);
  const rows = Array.from({ length: count }, () => {
    const memberAccountId = randomUUID();
    return {
      _id: randomUUID(),
      resellerAccountId,
      memberAccountId,
      externalId: memberAccountId,
      createdAt: at,
      updatedAt: at,
    };
  });
  await world().store.connection.collection<(typeof rows)[number]>('member_connections').insertMany(rows);
}

test('a member that joins after ten thousand others is in every list of its reseller', async (t) => {
  const reseller = await world().reseller();
  await joinedByStranger(reseller.id, 10_001);
  const member = await world().memberOf(reseller);
  const item = { title: 'Sist in', price: 100, imageUrls: [] };
  await world().call('PUT', '/integration/v1/items/LAST-1', { apiKey: member.apiKey, body: item });
  const read = async (path: string) => (await world().call('GET', path, { token: reseller.token })).body;
  t.like(await read('/business/members'), { total: 10_002 });
  const found = await read(`/business/members?q=${member.reference}`);
  t.like(found, { total: 1, members: [{ memberUserId: member.id }] });
  const { connections } = await read('/business/my-profile/connections');
  t.is(connections.at(-1).memberUserId, member.id);
  const { items } = await read('/business/members/items');
  t.deepEqual(
    items.map(({ externalId }: { externalId: string }) => externalId),
    ['LAST-1'],
  );
  t.is((await read('/business/members/analytics')).inventory.total, 1);
});
