import { gzipSync } from 'node:zlib';
import test from 'ava';
import { isError, withApiWorld, type Reply } from '../support/api-world.ts';
import { aLine, bulkPath, errorsOf, linesOf, ndjson, upload } from './support/bulk-calls.ts';
import { chunkDependencies, playBulk } from './support/play-bulk.ts';

const world = withApiWorld(test);

// specification: post-integration-v1-bulk, get-id-and-get
test('lines over three members are applied with exact counts, and each bad line is reported in the order of the file', async (t) => {
  const reseller = await world().reseller();
  const members = await Promise.all([
    world().memberOf(reseller),
    world().memberOf(reseller),
    world().memberOf(reseller),
  ]);
  const lines: unknown[] = [];
  for (let n = 0; n < 300; n += 1) lines.push(aLine(`A${n}`, { account: members[n % 3]?.reference }));
  lines.push('not json', aLine('', { account: members[0]?.reference }), aLine('X', { account: 'nobody' }), '', '[]');
  lines.push(aLine('Y', { price: -1 }), aLine('A0', { account: members[0]?.reference }), aLine('own'));
  const reply = await upload(world(), reseller, lines);
  t.is(reply.status, 202, reply.text);
  t.is(reply.headers.get('location'), `${bulkPath}/${reply.body.id}`);
  const path = `${bulkPath}/${reply.body.id}`;
  const before = await world().call('GET', path, { apiKey: reseller.apiKey });
  t.like(before.body, { state: 'running', mode: 'merge', total: 307, failed: 5, created: 0, completedAt: null });

  await playBulk(chunkDependencies(world().store), reply.body.id);
  const after = await world().call('GET', path, { apiKey: reseller.apiKey });
  t.like(after.body, { state: 'completed', total: 307, created: 301, updated: 0, unchanged: 1, failed: 5, removed: 0 });
  const errors = errorsOf(await world().call('GET', `${path}/errors`, { apiKey: reseller.apiKey }));
  t.deepEqual(
    errors.map(({ line, externalId, code, status, account }) => [line, externalId, code, status, account]),
    [
      [301, null, 'BAD_REQUEST', 400, undefined],
      [302, null, 'VALIDATION_FAILED', 422, members[0]?.reference],
      [303, 'X', 'PARTNER_ACCOUNT_FORBIDDEN', 403, 'nobody'],
      [305, null, 'BAD_REQUEST', 400, undefined],
      [306, 'Y', 'VALIDATION_FAILED', 422, undefined],
      // A warning: its id is in line 1, too.
      [307, 'A0', undefined, 202, members[0]?.reference],
    ],
  );
  t.deepEqual(
    (errors[4] as { details: { field: string }[] }).details.map(({ field }) => field),
    ['price'],
  );
  const read = (apiKey: string, externalId: string) =>
    world().call('GET', `/integration/v1/items/${externalId}`, { apiKey });
  t.is((await read(members[1]?.apiKey ?? '', 'A1')).status, 200);
  t.is((await read(members[1]?.apiKey ?? '', 'A2')).status, 404);
  t.is((await read(reseller.apiKey, 'own')).status, 200);
});

// specification: get-id-and-get
test('the bulk sync of another account is 404, for its keys, its sessions and its cancellation', async (t) => {
  const [owner, other] = [await world().account(), await world().account()];
  const { body } = await upload(world(), owner, [aLine('A')]);
  const path = `${bulkPath}/${body.id}`;
  const call = (method: string, at: string, token: object) => world().call(method, at, token);
  isError(t, await call('GET', path, { apiKey: other.apiKey }), { status: 404, code: 'NOT_FOUND' });
  isError(t, await call('GET', `${path}/errors`, { apiKey: other.apiKey }), { status: 404, code: 'NOT_FOUND' });
  isError(t, await call('DELETE', path, { apiKey: other.apiKey }), { status: 404, code: 'NOT_FOUND' });
  const twin = `/partner/bulk-syncs/${body.id}`;
  isError(t, await call('GET', twin, { token: other.token }), { status: 404, code: 'NOT_FOUND' });
  t.like((await call('GET', twin, { token: owner.token })).body, { id: body.id, state: 'running' });
  t.is((await call('GET', '/partner/bulk-syncs', { token: other.token })).body.bulkSyncs.length, 0);
  t.like((await call('GET', '/partner/bulk-syncs', { token: owner.token })).body.bulkSyncs, [{ id: body.id }]);
});

// specification: post-integration-v1-bulk
test('a body that is no stream of lines is refused by its type, its encoding and its emptiness', async (t) => {
  const account = await world().account();
  const lines = [aLine('A')];
  const send = (headers: Record<string, string>, raw: string | Uint8Array<ArrayBuffer> = linesOf(lines)) =>
    upload(world(), account, lines, { raw, headers });
  isError(t, await send({ 'content-type': 'application/json' }), { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  isError(t, await send({ 'content-type': `${ndjson}; charset=latin1` }), {
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
  });
  isError(t, await send({ 'content-encoding': 'zstd' }), { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  isError(t, await send({ 'content-encoding': 'gzip' }), { status: 400, code: 'BAD_REQUEST' });
  isError(t, await send({}, ''), { status: 400, code: 'BAD_REQUEST' });
  isError(t, await send({}, '\n \r\n'), { status: 400, code: 'BAD_REQUEST' });
  t.is((await send({ 'content-encoding': 'gzip' }, new Uint8Array(gzipSync(linesOf(lines))))).status, 202);
  t.is((await send({ 'content-type': `${ndjson};charset=UTF-8` })).status, 202);
});

test('a query that is not understood is refused', async (t) => {
  const account = await world().account();
  for (const query of ['?mode=all', '?confirm=yes', '?dryRun=true'])
    isError(t, await upload(world(), account, [aLine('A')], { query }), { status: 400, code: 'BAD_REQUEST' });
});

// specification: validateonly-at-most-20
test('with validateOnly a file is checked and nothing has effect', async (t) => {
  const account = await world().account();
  const lines = [aLine('A'), aLine('B', { price: 'x' }), 'no'];
  const reply = await upload(world(), account, lines, { query: '?validateOnly=true' });
  t.is(reply.status, 200, reply.text);
  t.like(reply.body, { total: 3, failed: 2, removed: 0 });
  t.deepEqual(
    reply.body.errors.map(({ line }: { line: number }) => line),
    [2, 3],
  );
  t.is((await world().call('GET', '/partner/bulk-syncs', { token: account.token })).body.bulkSyncs.length, 0);
});

// specification: validateonly-at-most-20
test('an account has at most 20 unfinished bulk syncs, however many are accepted at once', async (t) => {
  const account = await world().account();
  const one = async (n: number): Promise<Reply> => {
    const reply = await upload(world(), account, [aLine(`A${n}`)]);
    // Only four are read at once.
    return reply.status === 429 ? one(n) : reply;
  };
  const replies = await Promise.all(Array.from({ length: 25 }, (_, n) => one(n)));
  t.is(replies.filter(({ status }) => status === 202).length, 20);
  for (const reply of replies.filter(({ status }) => status !== 202))
    isError(t, reply, { status: 409, code: 'CONFLICT' });
  const first = replies.find(({ status }) => status === 202)?.body.id;
  await playBulk(chunkDependencies(world().store), first);
  t.is((await upload(world(), account, [aLine('B')])).status, 202);
});

test('a parameter that a bulk sync is read with is refused: nobody is to think that it filters', async (t) => {
  const account = await world().account();
  const { body } = await upload(world(), account, [aLine('A')]);
  const token = { token: account.token };
  for (const path of ['/partner/bulk-syncs', `/partner/bulk-syncs/${body.id}`])
    isError(t, await world().call('GET', `${path}?account=x`, token), { status: 400, code: 'BAD_REQUEST' });
  const key = { apiKey: account.apiKey };
  for (const path of [`${bulkPath}/${body.id}`, `${bulkPath}/${body.id}/errors`])
    isError(t, await world().call('GET', `${path}?member=x`, key), { status: 400, code: 'BAD_REQUEST' });
});
