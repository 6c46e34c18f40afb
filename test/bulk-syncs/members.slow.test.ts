import test from 'ava';
import { accountId, bulkSyncId } from '../../features/rules/ids.ts';
import { applyChunk } from '../../features/bulk-syncs/apply-chunk.ts';
import { withApiWorld } from '../support/api-world.ts';
import { Died } from '../support/dying-store.ts';
import { aLine, bulkPath, errorsOf, upload } from './support/bulk-calls.ts';
import { chunkDependencies, playBulk } from './support/play-bulk.ts';

const world = withApiWorld(test);

/** A reseller with two members who use the same external ids, and a bulk sync of 205 lines each. */
async function aBulkOfTwo() {
  const reseller = await world().reseller();
  const [leaver, stayer] = [await world().memberOf(reseller), await world().memberOf(reseller)];
  const lines = Array.from({ length: 205 }, (_, n) => [
    aLine(`A${n}`, { account: leaver.reference, price: 1 }),
    aLine(`A${n}`, { account: stayer.reference, price: 2 }),
  ]).flat();
  const { id } = (await upload(world(), reseller, lines)).body as { id: string };
  const progress = async () => (await world().call('GET', `${bulkPath}/${id}`, { apiKey: reseller.apiKey })).body;
  const errors = async () =>
    errorsOf(await world().call('GET', `${bulkPath}/${id}/errors`, { apiKey: reseller.apiKey }));
  const itemsOf = ({ id: owner }: { id: string }) =>
    world().store.connection.collection('items').find({ accountId: owner }).toArray();
  const leave = () => world().call('DELETE', '/business/my-deal', { token: leaver.token });
  return { reseller, leaver, stayer, id, progress, errors, itemsOf, leave };
}

// specification: a-disconnect-or-a
test('two members who use the same external ids get each their own items', async (t) => {
  const { leaver, stayer, id, progress, itemsOf } = await aBulkOfTwo();
  await playBulk(chunkDependencies(world().store), id);
  t.like(await progress(), { total: 410, created: 410, failed: 0 });
  for (const [member, priceOre] of [
    [leaver, 100],
    [stayer, 200],
  ] as const) {
    const items = await itemsOf(member);
    t.is(items.length, 205);
    t.true(items.every(({ content }) => (content as { priceOre: number }).priceOre === priceOre));
  }
});

// specification: a-disconnect-or-a
test('a disconnect in the middle: lines that were applied stay, all later ones of that member fail, the others go on', async (t) => {
  const { reseller, leaver, stayer, id, progress, errors, itemsOf, leave } = await aBulkOfTwo();
  const dependencies = chunkDependencies(world().store);
  const first = { bulkId: bulkSyncId(id), accountId: accountId(leaver.id) };
  t.is((await applyChunk(dependencies, first)).kind, 'applied');
  t.is((await leave()).status, 204);
  await playBulk(dependencies, id);
  t.like(await progress(), { state: 'completed', created: 405, failed: 5 });
  const failed = await errors();
  t.true(
    failed.every((error) => error['code'] === 'PARTNER_ACCOUNT_FORBIDDEN' && error['account'] === leaver.reference),
  );
  t.is((await itemsOf(leaver)).length, 200);
  t.is((await itemsOf(stayer)).length, 205);
  t.is((await world().call('GET', '/integration/v1/items/A0', { apiKey: leaver.apiKey })).status, 200);
  const headers = { 'x-partner-account': leaver.reference };
  t.is((await world().call('GET', '/integration/v1/items/A0', { apiKey: reseller.apiKey, headers })).status, 403);
});

// specification: a-disconnect-or-a
test('a disconnect between the death of a process and its successor: what it had written counts, the rest fails', async (t) => {
  const { leaver, id, progress, itemsOf, leave } = await aBulkOfTwo();
  const dependencies = chunkDependencies(world().store);
  const { lines } = dependencies.items;
  let written = 0;
  const dying = {
    ...dependencies,
    items: {
      ...dependencies.items,
      lines: {
        ...lines,
        writeWith: async (...[writes, also]: Parameters<typeof lines.writeWith>) => {
          if (written === 80) throw new Died();
          await lines.writeWith(writes, also);
          written += 1;
        },
      },
    },
  };
  // As after some failures, when the lines are applied one by one.
  const chunk = { bulkId: bulkSyncId(id), accountId: accountId(leaver.id), attempt: 4 };
  await t.throwsAsync(applyChunk(dying, chunk), { instanceOf: Died });
  await leave();
  await playBulk(dependencies, id);
  t.like(await progress(), { created: 285, failed: 125 });
  t.is((await itemsOf(leaver)).length, 80);
});

// specification: a-disconnect-or-a
test('a disconnect while a chunk is being decided writes nothing of it', async (t) => {
  const { leaver, id, progress, itemsOf, leave } = await aBulkOfTwo();
  const dependencies = chunkDependencies(world().store);
  const { lines } = dependencies.items;
  const findCurrent: typeof lines.findCurrent = async (...asked) => {
    const found = await lines.findCurrent(...asked);
    await leave();
    return found;
  };
  const slow = { ...dependencies, items: { ...dependencies.items, lines: { ...lines, findCurrent } } };
  await applyChunk(slow, { bulkId: bulkSyncId(id), accountId: accountId(leaver.id) });
  await playBulk(dependencies, id);
  t.like(await progress(), { created: 205, failed: 205 });
  t.is((await itemsOf(leaver)).length, 0);
});

// specification: a-disconnect-or-a
test('a rename in the middle changes nothing: lines belong to the account that the reference named when they were read', async (t) => {
  const { reseller, leaver, stayer, id, progress, itemsOf } = await aBulkOfTwo();
  const rename = (member: { id: string }, externalId: string) =>
    world().call('PUT', `/business/my-profile/connections/${member.id}`, {
      token: reseller.token,
      body: { externalId },
    });
  await rename(leaver, 'between');
  await rename(stayer, leaver.reference);
  await playBulk(chunkDependencies(world().store), id);
  t.like(await progress(), { created: 410, failed: 0 });
  const items = await itemsOf(leaver);
  t.true(items.every(({ content }) => (content as { priceOre: number }).priceOre === 100));
});

test("a member's key does not see what its reseller sent for it, and the item's history names the reseller", async (t) => {
  const { leaver, id } = await aBulkOfTwo();
  t.is((await world().call('GET', `${bulkPath}/${id}`, { apiKey: leaver.apiKey })).status, 404);
  await playBulk(chunkDependencies(world().store), id);
  const { body } = await world().call('GET', '/integration/v1/items/A0/timeline', { apiKey: leaver.apiKey });
  t.is(body.entries[0].actor, 'reseller');
});
