import test from 'ava';
import { accountId, bulkSyncId } from '../../features/rules/ids.ts';
import { applyChunk } from '../../features/bulk-syncs/apply-chunk.ts';
import { withApiWorld, type TestAccount } from '../support/api-world.ts';
import { aLine, bulkPath, errorsOf, linesOf, ndjson, upload } from './support/bulk-calls.ts';
import { chunkDependencies, playBulk } from './support/play-bulk.ts';
import { findBulkSync } from '../../features/bulk-syncs/store/bulk-syncs.ts';
import { setSuspension } from '../../features/accounts/administer-account.ts';

const world = withApiWorld(test);

const lines = (count: number): object[] => Array.from({ length: count }, (_, n) => aLine(`A${n}`));
const itemsOf = ({ id }: { id: string }) =>
  world().store.connection.collection('items').countDocuments({ accountId: id });
const progress = async ({ token }: TestAccount, id: string) =>
  (await world().call('GET', `/partner/bulk-syncs/${id}`, { token })).body as Record<string, unknown>;
const errors = async ({ token }: TestAccount, id: string) =>
  errorsOf(await world().call('GET', `/partner/bulk-syncs/${id}/errors`, { token }));

async function revoke({ token }: TestAccount): Promise<void> {
  const { keys } = (await world().call('GET', '/integration/api-keys', { token })).body;
  for (const { id } of keys) await world().call('DELETE', `/integration/api-keys/${id}`, { token });
}

// specification: a-revoked-key-or
test('a key that is revoked stops its bulk sync: what was applied stays, the rest fails, and the state says why', async (t) => {
  const account = await world().account();
  const { id } = (await upload(world(), account, lines(410))).body;
  const dependencies = chunkDependencies(world().store);
  await applyChunk(dependencies, { bulkId: bulkSyncId(id), accountId: accountId(account.id) });
  await revoke(account);
  await playBulk(dependencies, id);
  t.is(await itemsOf(account), 200);
  t.like(await progress(account, id), { state: 'cancelled', stoppedBy: 'UNAUTHORIZED', created: 200, failed: 210 });
  const failed = await errors(account, id);
  t.is(failed.length, 210);
  t.true(failed.every(({ code, status }) => code === 'UNAUTHORIZED' && status === 401));
});

// specification: a-revoked-key-or
test('a key that is revoked while a chunk is being decided writes nothing of it', async (t) => {
  const account = await world().account();
  const { id } = (await upload(world(), account, lines(3))).body;
  const dependencies = chunkDependencies(world().store);
  const stored = dependencies.items.lines;
  const findCurrent: typeof stored.findCurrent = async (...asked) => {
    const found = await stored.findCurrent(...asked);
    await revoke(account);
    return found;
  };
  await playBulk({ ...dependencies, items: { ...dependencies.items, lines: { ...stored, findCurrent } } }, id);
  t.is(await itemsOf(account), 0);
  t.like(await progress(account, id), { state: 'cancelled', stoppedBy: 'UNAUTHORIZED', created: 0, failed: 3 });
});

// specification: a-revoked-key-or
test('a snapshot whose key is revoked takes nothing down', async (t) => {
  const account = await world().account();
  const first = (await upload(world(), account, lines(3))).body;
  await playBulk(chunkDependencies(world().store), first.id);
  const { id } = (await upload(world(), account, [], { query: '?mode=snapshot&confirm=true' })).body;
  await revoke(account);
  await playBulk(chunkDependencies(world().store), id);
  t.like(await progress(account, id), { state: 'cancelled', stoppedBy: 'UNAUTHORIZED', removed: 0 });
  t.is(await world().store.connection.collection('items').countDocuments({ accountId: account.id, current: true }), 3);
});

test('the end of another key of the account leaves a bulk sync as it is', async (t) => {
  const account = await world().account();
  const other = (await world().call('POST', '/integration/api-keys/generate', { token: account.token })).body;
  const { id } = (await upload(world(), { apiKey: other.apiKey }, lines(3))).body;
  const { keys } = (await world().call('GET', '/integration/api-keys', { token: account.token })).body;
  await world().call('DELETE', `/integration/api-keys/${keys[1].id}`, { token: account.token });
  await playBulk(chunkDependencies(world().store), id);
  t.like((await world().call('GET', `${bulkPath}/${id}`, { apiKey: other.apiKey })).body, {
    state: 'completed',
    stoppedBy: null,
    created: 3,
  });
});

const sendBySession = async ({ token }: TestAccount, sent: readonly object[]): Promise<{ id: string }> => {
  const options = { token, raw: linesOf(sent), headers: { 'content-type': ndjson } };
  return (await world().call('POST', '/partner/bulk-syncs', options)).body;
};

// specification: a-revoked-key-or
test('a session that ended after it had sent a bulk sync stops nothing', async (t) => {
  const account = await world().account();
  const { store } = world();
  const { id } = await sendBySession(account, lines(3));
  await store.connection.collection('sessions').deleteMany({ accountId: account.id });
  await playBulk(chunkDependencies(store), id);
  t.is(await itemsOf(account), 3);
});

// specification: a-suspended-account-is
test('an account that is suspended stops what its session has sent', async (t) => {
  const account = await world().account();
  const { id } = await sendBySession(account, lines(3));
  const { store, now } = world();
  await setSuspension({ store, now }, { email: account.email, isSuspended: true });
  await playBulk(chunkDependencies(store), id);
  t.is(await itemsOf(account), 0);
  t.like(await findBulkSync(store, bulkSyncId(id)), { state: 'cancelled', stoppedBy: 'UNAUTHORIZED', failed: 3 });
});

// specification: a-revoked-key-or
test('a member that ends its membership stops what its reseller had sent for it, and the state says why', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  const headers = { 'x-partner-account': member.reference };
  const { id } = (await upload(world(), reseller, lines(205), { headers })).body;
  const dependencies = chunkDependencies(world().store);
  await applyChunk(dependencies, { bulkId: bulkSyncId(id), accountId: accountId(member.id) });
  await world().call('DELETE', '/business/my-deal', { token: member.token });
  await playBulk(dependencies, id);
  t.is(await itemsOf(member), 200);
  t.like(await progress(reseller, id), {
    state: 'cancelled',
    stoppedBy: 'PARTNER_ACCOUNT_FORBIDDEN',
    created: 200,
    failed: 5,
  });
});
