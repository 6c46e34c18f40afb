import test from 'ava';
import { createItemRoom } from '../../features/accounts/create-item-room.ts';
import { aLine, bulkPath, errorsOf, upload } from '../bulk-syncs/support/bulk-calls.ts';
import { chunkDependencies, playBulk } from '../bulk-syncs/support/play-bulk.ts';
import { isError, withApiWorld, type TestAccount } from '../support/api-world.ts';

// Registration is open: what a stranger may store is bounded.

const itemsMax = 3;
const world = withApiWorld(test, { storageQuota: { itemsMax, imagesMax: 20, imageBytesMax: 2_000 } });

const body = { title: 'A', price: 1, imageUrls: [], domain: { domain: 'art' } };
const itemPath = (externalId: string): string => `/integration/v1/items/${externalId}`;
const put = ({ apiKey }: TestAccount, target: string, change: object = {}) =>
  world().call('PUT', itemPath(target), { apiKey, body: { ...body, ...change } });

/** An account that has as many items as it may. */
async function aFullAccount(): Promise<TestAccount> {
  const account = await world().account();
  for (let n = 0; n < itemsMax; n += 1) await put(account, `A${n}`);
  return account;
}

const refusal = 'The account has 3 of at most 3 items: delete some, or ask the operator for more';

test('PUT 403: a new item beyond the quota; items that are there can be changed, and other accounts go on', async (t) => {
  const account = await aFullAccount();
  for (const query of ['', '?validateOnly=true']) {
    const reply = await put(account, `B${query}`);
    isError(t, reply, { status: 403, code: 'QUOTA_EXCEEDED' });
    t.is(reply.body.error, refusal);
  }
  t.is((await world().call('GET', itemPath('B'), account)).status, 404);
  t.is((await put(account, 'A0', { price: 2 })).status, 202);
  t.is((await put(await world().account(), 'B')).status, 202);
});

test('PUT 202: an item that was deleted leaves its room within ten seconds', async (t) => {
  const account = await aFullAccount();
  isError(t, await put(account, 'B'), { status: 403, code: 'QUOTA_EXCEEDED' });
  t.is((await world().call('DELETE', itemPath('A0'), account)).status, 202);
  world().pass(10_000);
  t.is((await put(account, 'B')).status, 202);
});

test('batch 200: rows of new items beyond the quota fail alone', async (t) => {
  const account = await world().account();
  const items = ['A', 'B', 'C', 'D', 'E'].map((externalId) => ({ externalId, ...body }));
  await put(account, 'D');
  const reply = await world().call('POST', '/integration/v1/items/batch', { apiKey: account.apiKey, body: { items } });
  const rows = reply.body.results as { status: number; code?: string }[];
  t.deepEqual(
    rows.map(({ status, code }) => [status, code]),
    [
      [202, undefined],
      [202, undefined],
      [403, 'QUOTA_EXCEEDED'],
      [202, undefined],
      [403, 'QUOTA_EXCEEDED'],
    ],
  );
});

test('bulk: lines of new items beyond the quota fail alone', async (t) => {
  const account = await aFullAccount();
  const { body: accepted } = await upload(world(), account, [aLine('B'), aLine('A1', { price: 7 })]);
  const chunks = chunkDependencies(world().store);
  const takeRoom = createItemRoom({ store: world().store, itemsMax, now: world().now });
  await playBulk({ ...chunks, items: { ...chunks.items, takeRoom } }, accepted.id);
  const path = `${bulkPath}/${accepted.id}`;
  t.like((await world().call('GET', path, account)).body, { created: 0, updated: 1, failed: 1 });
  t.like(errorsOf(await world().call('GET', `${path}/errors`, account)), [
    { line: 1, externalId: 'B', status: 403, code: 'QUOTA_EXCEEDED', error: refusal },
  ]);
});

test('GET usage 200: what the account stores, and what it may', async (t) => {
  const { token, apiKey } = await aFullAccount();
  const reply = await world().call('GET', '/partner/usage', { token });
  t.is(reply.status, 200, reply.text);
  t.deepEqual(reply.body, {
    items: { used: 3, limit: 3 },
    images: { used: 0, limit: 20 },
    imageBytes: { used: 0, limit: 2_000 },
  });
  isError(t, await world().call('GET', '/partner/usage', { apiKey }), { status: 401, code: 'UNAUTHORIZED' });
});
