import test from 'ava';
import { isError, withApiWorld, type TestAccount } from '../support/api-world.ts';
import { aLine, bulkPath, upload } from './support/bulk-calls.ts';
import { chunkDependencies, playBulk } from './support/play-bulk.ts';

const world = withApiWorld(test);

const put = (account: TestAccount, externalId: string, fields: object = {}) => {
  const { externalId: _id, ...body } = aLine(externalId, fields) as { externalId: string };
  return world().call('PUT', `/integration/v1/items/${externalId}`, { apiKey: account.apiKey, body });
};
const statusOf = async (account: TestAccount, externalId: string): Promise<number> =>
  (await world().call('GET', `/integration/v1/items/${externalId}`, { apiKey: account.apiKey })).status;

async function withItems(count: number): Promise<TestAccount> {
  const account = await world().account();
  await Promise.all(Array.from({ length: count }, (_, n) => put(account, `A${n}`)));
  return account;
}

const snapshot = (account: { apiKey: string }, lines: readonly unknown[], more = '') =>
  upload(world(), account, lines, { query: `?mode=snapshot${more}` });
const play = (id: string) => playBulk(chunkDependencies(world().store), id);
const progress = async (account: TestAccount, id: string) =>
  (await world().call('GET', `${bulkPath}/${id}`, { apiKey: account.apiKey })).body as object;

// specification: mode-snapshot-takes-down
test('a snapshot takes down what the file leaves out, and nothing else', async (t) => {
  const account = await withItems(6);
  const other = await withItems(1);
  const reply = await snapshot(account, [aLine('A0'), aLine('A1', { price: 5 }), aLine('A2'), aLine('new')]);
  t.is(reply.status, 202, reply.text);
  await play(reply.body.id);
  t.like(await progress(account, reply.body.id), {
    state: 'completed',
    mode: 'snapshot',
    total: 4,
    created: 1,
    updated: 1,
    unchanged: 2,
    failed: 0,
    removed: 3,
  });
  for (const id of ['A0', 'A1', 'A2', 'new']) t.is(await statusOf(account, id), 200, id);
  for (const id of ['A3', 'A4', 'A5']) t.is(await statusOf(account, id), 404, id);
  t.is(await statusOf(other, 'A0'), 200);
});

// specification: more-than-half-only
test('a snapshot that would take down more than half is refused with both numbers, unless that is confirmed', async (t) => {
  const account = await withItems(5);
  const lines = [aLine('A0'), aLine('A1')];
  const refused = await snapshot(account, lines);
  isError(t, refused, { status: 409, code: 'CONFLICT' });
  t.regex(refused.body.error, /take down 3 of the account's 5 items/);
  isError(t, await snapshot(account, lines, '&validateOnly=true'), { status: 409, code: 'CONFLICT' });
  t.like((await snapshot(account, [...lines, aLine('A2')], '&validateOnly=true')).body, { total: 3, removed: 2 });
  const { body } = await snapshot(account, [], '&confirm=true');
  await play(body.id);
  t.like(await progress(account, body.id), { state: 'completed', total: 0, removed: 5 });
});

test('a line of a snapshot that is refused still says that its item is not left out', async (t) => {
  const account = await withItems(2);
  const { body } = await snapshot(account, [aLine('A0'), aLine('A1', { price: 'much' })]);
  await play(body.id);
  t.like(await progress(account, body.id), { unchanged: 1, failed: 1, removed: 0 });
  t.is(await statusOf(account, 'A1'), 200);
});

// specification: mode-snapshot-takes-down
test('writes accepted after a snapshot are spared, by its lines and by its removals', async (t) => {
  const account = await withItems(4);
  const { body } = await snapshot(account, [aLine('A0', { price: 1 }), aLine('A1')]);
  t.is((await put(account, 'A0', { price: 2 })).status, 202);
  t.is((await put(account, 'A2', { price: 3 })).status, 202);
  await play(body.id);
  t.like(await progress(account, body.id), { updated: 0, unchanged: 1, failed: 1, removed: 1 });
  const item = await world().call('GET', '/integration/v1/items/A0?view=full', { apiKey: account.apiKey });
  t.is(item.body.price, 2);
  t.is(await statusOf(account, 'A2'), 200);
  t.is(await statusOf(account, 'A3'), 404);
});

// specification: mode-snapshot-takes-down
test('of an account only one snapshot runs at a time', async (t) => {
  const account = await withItems(1);
  const replies = await Promise.all([1, 2, 3].map(() => snapshot(account, [aLine('A0')])));
  t.deepEqual(replies.map(({ status }) => status).toSorted(), [202, 409, 409]);
  const first = replies.find(({ status }) => status === 202)?.body.id;
  isError(t, await snapshot(account, [aLine('A0')]), { status: 409, code: 'CONFLICT' });
  const merge = await upload(world(), account, [aLine('A0')]);
  t.is(merge.status, 202, 'a merge may run beside it');
  await play(first);
  await play(merge.body.id);
  const next = await snapshot(account, [aLine('A0')]);
  t.is(next.status, 202, next.text);
});

// specification: mode-snapshot-takes-down
test('a snapshot with a line whose item can not be told, or of another account, is refused with its number', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  const bad = ['no json', { title: 'x' }, aLine('B', { account: member.reference }), aLine('B', { account: 'nobody' })];
  for (const line of bad) {
    const reply = await snapshot(reseller, [aLine('A'), '', line]);
    isError(t, reply, { status: 422, code: 'VALIDATION_FAILED' });
    t.is(reply.body.details[0].field, 'line 3');
  }
  const forMember = await upload(world(), reseller, [aLine('M', { account: member.reference }), aLine('N')], {
    query: '?mode=snapshot',
    headers: { 'x-partner-account': member.reference },
  });
  t.is(forMember.status, 202, forMember.text);
  await play(forMember.body.id);
  t.is(await statusOf(member, 'N'), 200);
});

test('a snapshot waits until lines that were accepted earlier are applied, or they would bring back what it takes down', async (t) => {
  const account = await withItems(2);
  const { body: earlier } = await upload(world(), account, [aLine('A0'), aLine('gone')]);
  const refused = await snapshot(account, [aLine('A0'), aLine('A1')]);
  isError(t, refused, { status: 409, code: 'CONFLICT' });
  t.regex(refused.body.error, /accepted earlier has lines of this account/);
  t.is((await snapshot(await withItems(1), [aLine('A0')])).status, 202, 'of another account it is accepted');
  await play(earlier.id);
  const { status, body } = await snapshot(account, [aLine('A0'), aLine('A1')]);
  t.is(status, 202);
  await play(body.id);
  t.is(await statusOf(account, 'gone'), 404);
});
