import test from 'ava';
import { withApiWorld, type TestAccount } from '../support/api-world.ts';
import { aLine, bulkPath, errorsOf, upload } from './support/bulk-calls.ts';
import { chunkDependencies, playBulk } from './support/play-bulk.ts';

const world = withApiWorld(test);

/** Applies the lines, and tells how many items were read for it. */
async function sync(account: TestAccount, lines: readonly unknown[], between?: () => Promise<unknown>) {
  const { id } = (await upload(world(), account, lines)).body;
  await between?.();
  const dependencies = chunkDependencies(world().store);
  const { lines: stored } = dependencies.items;
  let itemsRead = 0;
  const findCurrent: typeof stored.findCurrent = (of, externalIds) => {
    itemsRead += externalIds.length;
    return stored.findCurrent(of, externalIds);
  };
  await playBulk({ ...dependencies, items: { ...dependencies.items, lines: { ...stored, findCurrent } } }, id);
  const get = (path: string) => world().call('GET', path, { apiKey: account.apiKey });
  const { created, updated, unchanged, failed, warned } = (await get(`${bulkPath}/${id}`)).body;
  const counts = { created, updated, unchanged, failed, warned };
  return { itemsRead, counts, errors: errorsOf(await get(`${bulkPath}/${id}/errors`)) };
}

const lines = (count: number): object[] => Array.from({ length: count }, (_, n) => aLine(`A${n}`));
const price = (account: TestAccount, externalId: string, amount: number) =>
  world().call('PATCH', `/integration/v1/items/${externalId}/price`, {
    apiKey: account.apiKey,
    body: { price: amount },
  });

test('a file that is sent again reads no item, and warns again', async (t) => {
  const account = await world().account();
  const file = [...lines(205), aLine('W', { titel: 'x' })];
  t.like(await sync(account, file), { itemsRead: 206, counts: { created: 206, unchanged: 0, warned: 1 } });
  const again = await sync(account, file);
  t.like(again, { itemsRead: 0, counts: { created: 0, updated: 0, unchanged: 206, failed: 0, warned: 1 } });
  t.like(again.errors, [{ line: 206, externalId: 'W', severity: 'warning' }]);
});

test('what differs, is new or stands twice in the file is read and applied, the rest is not', async (t) => {
  const account = await world().account();
  await sync(account, lines(5));
  await price(account, 'A1', 7);
  const file = [...lines(4), aLine('A4', { title: 'Ny' }), aLine('B'), aLine('A3')];
  // A1 is back at its price, A4 has a new title, B is new; A3 stands twice.
  t.like(await sync(account, file), { itemsRead: 4, counts: { created: 1, updated: 2, unchanged: 4, failed: 0 } });
});

test('a write that was accepted after the file wins over an equal hash too', async (t) => {
  const account = await world().account();
  await sync(account, lines(2));
  const changed = await sync(account, lines(2), () => price(account, 'A0', 7));
  t.like(changed.counts, { unchanged: 1, failed: 1 });
  t.like(changed.errors, [{ line: 1, code: 'CONFLICT' }]);
  // There and back: the item is as the line wants it, by a later write.
  const back = await sync(account, [aLine('A1')], async () => {
    const { price: before } = (await world().call('GET', '/integration/v1/items/A1', { apiKey: account.apiKey })).body;
    await price(account, 'A1', 8);
    await price(account, 'A1', before);
  });
  t.like(back, { itemsRead: 1, counts: { unchanged: 1, failed: 0 } });
});

test('a line that asks for its images again is applied although nothing else differs', async (t) => {
  const account = await world().account();
  const imageUrls = ['https://erp.example/1.jpg'];
  const asking = aLine('A1', { imageUrls, refreshImages: true });
  await sync(account, [aLine('A1', { imageUrls }), aLine('A2', { imageUrls })]);
  const again = await sync(account, [asking, aLine('A2', { imageUrls })]);
  t.like(again, { itemsRead: 1, counts: { updated: 1, unchanged: 1, failed: 0 } });
});
