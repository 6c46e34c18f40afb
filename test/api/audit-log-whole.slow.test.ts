import test, { type ExecutionContext } from 'ava';
import { accountId } from '../../features/rules/ids.ts';
import { createMarketplaceWatch } from '../../features/listings/store/marketplace-watch.ts';
import { withApiWorld, type Reply, type TestAccount } from '../support/api-world.ts';
import { auditSteps, ok } from '../support/audit-steps.ts';
import { present } from '../support/clock.ts';

// An entry stands with its change or not at all, for what another account or the marketplace has a part in.

const world = withApiWorld(test);
const { kindsOf, connect, withoutLog } = auditSteps(world);
const connectionPath = '/partner/marketplace-connection';
const membersPath = '/business/my-profile/connections';

/** A call fails as long as the log can't be written, changes nothing of what is shown, and is done afterwards. */
async function isWhole(
  t: ExecutionContext,
  { call, shown, logs }: { call: () => Promise<Reply>; shown: () => Promise<unknown>; logs: readonly TestAccount[] },
): Promise<void> {
  const [before, kinds] = [await shown(), await Promise.all(logs.map(({ token }) => kindsOf(token)))];
  // With either log of the two accounts that it concerns.
  for (const log of logs) {
    t.is((await withoutLog([log], call)).status, 500);
    t.deepEqual(await shown(), before);
    t.deepEqual(await Promise.all(logs.map(({ token }) => kindsOf(token))), kinds);
  }
  await ok(call());
  t.notDeepEqual(await shown(), before);
}

interface StoredConnection {
  readonly _id: string;
  readonly tokenEncrypted: string;
  readonly state: string;
}
const connectionOf = ({ id }: TestAccount) =>
  world().store.connection.collection<StoredConnection>('marketplace_connections').findOne({ _id: id });

test.serial('a marketplace connection is set, set again and removed with its entry or not at all', async (t) => {
  const account = await world().account();
  const { token } = account;
  const shown = () => connectionOf(account);
  const put = (secret: string) => () =>
    world().call('PUT', connectionPath, { token, body: { marketplaceUserId: '4711', token: secret } });
  await isWhole(t, { call: put('one'), shown, logs: [account] });
  await isWhole(t, { call: put('two'), shown, logs: [account] });
  await isWhole(t, { call: () => world().call('DELETE', connectionPath, { token }), shown, logs: [account] });
});

test.serial('a marketplace token is marked as expired with its entry or not at all', async (t) => {
  const account = await world().account();
  await connect(account);
  const row = await connectionOf(account);
  const watch = createMarketplaceWatch(world().store);
  const expire = () => watch.markExpired(accountId(account.id), row?.tokenEncrypted ?? '', present());
  await t.throwsAsync(withoutLog([account], expire));
  t.deepEqual(await connectionOf(account), row);
  t.false((await kindsOf(account.token)).includes('marketplace_expired'));
  await expire();
  t.is((await connectionOf(account))?.state, 'expired');
});

test.serial('a member joins, is renamed and leaves with the entries of both accounts or not at all', async (t) => {
  const reseller = await world().reseller();
  const member = await world().account();
  const logs = [member, reseller];
  const shown = async () =>
    (await ok(world().call('GET', membersPath, { token: reseller.token }))).body.connections.map(
      (row: { memberUserId: string; externalId: string }) => [row.memberUserId, row.externalId],
    );
  const { token } = member;
  await isWhole(t, { call: () => world().call('POST', `/p/${reseller.slug}/connect`, { token }), shown, logs });
  const body = { externalId: 'butik' };
  const rename = () => world().call('PUT', `${membersPath}/${member.id}`, { token: reseller.token, body });
  await isWhole(t, { call: rename, shown, logs });
  t.deepEqual(await shown(), [[member.id, 'butik']]);
  await isWhole(t, { call: () => world().call('DELETE', '/business/my-deal', { token }), shown, logs });
});

test.serial('a request, its approval and the removal of the member stand in both logs or not at all', async (t) => {
  const reseller = await world().reseller();
  const { token: asking, ...member } = await world().account();
  const logs = [{ ...member, token: asking }, reseller];
  const { token, slug } = reseller;
  const read = async (path: string) => (await ok(world().call('GET', path, { token }))).body;
  const shown = async () => [await read('/business/join-requests'), await read(membersPath)];
  const profile = { slug, displayName: 'Återförsäljaren AB', needsApproval: true };
  await ok(world().call('PUT', '/business/my-profile', { token, body: profile }));
  const ask = () => world().call('POST', `/p/${slug}/connect`, { token: asking });
  await isWhole(t, { call: ask, shown, logs });
  const path = `${membersPath}/${member.id}`;
  const remove = () => world().call('DELETE', path, { token });
  await isWhole(t, { call: remove, shown, logs });
  await ok(ask());
  const approve = () => world().call('PUT', path, { token, body: { externalId: 'butik' } });
  await isWhole(t, { call: approve, shown, logs });
  await isWhole(t, { call: remove, shown, logs });
});

test.serial('what waits is confirmed with its entry or not at all', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  world().pass(1);
  const { apiKey, token } = member;
  const item = { title: 'Skruv', price: 1, imageUrls: [] };
  await ok(world().call('PUT', '/integration/v1/items/A-1', { apiKey, body: item }));
  const sale = { externalId: 'A-1', platform: 'service', amount: 200_000, status: 'paid', isAmountConfirmed: true };
  const { id } = (await ok(world().call('POST', '/partner/orders', { token, body: sale }))).body;
  await ok(world().call('PATCH', `/partner/orders/${id}`, { token, body: { status: 'completed' } }));
  const shown = async () => (await ok(world().call('GET', '/business/my-deal', { token: reseller.token }))).body;
  const body = { memberUserId: member.id, orders: 1, sales: 200_000 };
  const call = () => world().call('POST', '/business/my-deal/confirmations', { token: reseller.token, body });
  await isWhole(t, { call, shown, logs: [reseller] });
});
