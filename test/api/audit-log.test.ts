import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, endpointId } from '../../features/rules/ids.ts';
import { createMarketplaceWatch } from '../../features/listings/store/marketplace-watch.ts';
import { changeEndpointLife } from '../../features/webhooks/store/webhook-endpoints.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { afterGivenUp } from '../../features/webhooks/rules/disable-after-failures.ts';
import { isError, withApiWorld, type TestAccount } from '../support/api-world.ts';
import { aHookBody, anItemBody, auditSteps, hookUrl, ok } from '../support/audit-steps.ts';
import { present } from '../support/clock.ts';

const world = withApiWorld(test, { registers: true });
const { log, kindsOf, anEndpoint, aKeyId, setUrl, connect, withoutLog } = auditSteps(world);

// specification: none-without-its-change
test('what is refused, or changes nothing, leaves no entry', async (t) => {
  const account = await world().account();
  const { token } = account;
  const id = await anEndpoint(account);
  await setUrl(account);
  const before = await kindsOf(token);
  await setUrl(account);
  await world().call('PATCH', `/integration/webhooks/${id}`, { token, body: { description: '' } });
  await world().call('PATCH', `/integration/webhooks/${id}`, { token, body: { url: 'http://no' } });
  await world().call('DELETE', `/integration/webhooks/${randomUUID()}`, { token });
  await world().call('DELETE', `/integration/api-keys/${randomUUID()}`, { token });
  await world().call('DELETE', '/partner/marketplace-connection', { token });
  await world().call('DELETE', '/business/my-deal', { token });
  await world().call('POST', `/integration/webhooks/${id}/recover?dryRun=true`, {
    token,
    body: { since: present(-60_000).toISOString() },
  });
  t.deepEqual(await kindsOf(token), before);
});

// specification: none-without-its-change
test('a call repeated under its Idempotency-Key is in the log once', async (t) => {
  const { token } = await world().account();
  const call = () =>
    world().call('POST', '/integration/webhooks', { token, body: aHookBody, headers: { 'Idempotency-Key': 'one' } });
  await ok(call());
  await ok(call());
  t.is((await kindsOf(token)).filter((kind) => kind === 'webhook_created').length, 1);
});

// specification: no-secret
test('no secret is in the log: no key, no signing secret, no token, no path of a webhook URL', async (t) => {
  const account = await world().account();
  const { token } = account;
  const { apiKey } = (await ok(world().call('POST', '/integration/api-keys/generate', { token }))).body;
  const { secret, id } = (await ok(world().call('POST', '/integration/webhooks', { token, body: aHookBody }))).body;
  const rotated = (await ok(world().call('POST', `/integration/webhooks/${id}/rotate-secret`, { token }))).body.secret;
  await setUrl(account);
  const settings = await ok(world().call('POST', '/integration/webhook-settings/rotate-secret', { token }));
  await connect(account, 'the-seller-token');
  const rows = await world().store.connection.collection('audit').find({ accountId: account.id }).toArray();
  const told = JSON.stringify([await log(token), rows]);
  for (const hidden of [
    apiKey,
    account.apiKey,
    secret,
    rotated,
    settings.body.webhookSecret,
    'the-seller-token',
    token,
  ])
    t.false(told.includes(hidden));
  for (const hidden of ['secret-path', 'hidden', account.password]) t.false(told.includes(hidden));
});

// specification: who-acted-for-whom
test('a member joins, is renamed and leaves: both logs tell it, each with who did it', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  await ok(world().call('DELETE', '/business/my-deal', { token: member.token }));
  const shown = async ({ token }: TestAccount) =>
    (await log(token)).entries
      .filter(({ kind }: { kind: string }) => kind.startsWith('member_'))
      .map((entry: { kind: string; actor: { kind: string; userId: string } }) => [
        entry.kind,
        entry.actor.kind,
        entry.actor.userId,
      ]);
  t.deepEqual(await shown(member), [
    ['member_left', 'dashboard', member.id],
    ['member_renamed', 'reseller', reseller.id],
    ['member_joined', 'dashboard', member.id],
  ]);
  t.deepEqual(await shown(reseller), [
    ['member_left', 'member', member.id],
    ['member_renamed', 'dashboard', reseller.id],
    ['member_joined', 'member', member.id],
  ]);
  const granted = (await log(reseller.token, '?kind=reseller_agreement_granted')).entries;
  t.is(granted.length, 1);
  t.like(granted[0], {
    actor: { kind: 'operator', userId: null },
    details: { commissionBps: 250, slug: reseller.slug },
  });
});

// specification: who-acted-for-whom
test('what a reseller does for a member: in the log of the member with the reseller as actor, and read by the reseller as its own doing', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  const headers = { 'X-Partner-Account': member.reference };
  await ok(world().call('PUT', '/integration/v1/items/a', { apiKey: reseller.apiKey, headers, body: anItemBody }));
  await ok(world().call('PUT', '/integration/v1/items/own', { apiKey: reseller.apiKey, body: anItemBody }));
  const created = (entry: { kind: string }) => entry.kind === 'created';
  const [inMembers] = (await log(member.token)).entries.filter(created);
  t.like(inMembers, { externalId: 'a', userId: member.id });
  t.deepEqual(inMembers.actor, { kind: 'reseller', userId: reseller.id, keyId: null });
  const inOwn = (await log(reseller.token)).entries.filter(created);
  t.deepEqual(
    inOwn.map(({ externalId }: { externalId: string }) => externalId),
    ['own'],
  );
  const acting = (await log(reseller.token, '?view=acting')).entries;
  t.is(acting.length, 1);
  t.like(acting[0], { id: inMembers.id, externalId: 'a', userId: member.id, actor: { kind: 'reseller' } });
  t.is(typeof acting[0].actor.keyId, 'string');
  t.deepEqual((await log(member.token, '?view=acting')).entries, []);
});

// specification: who-acted-for-whom
test('what the service and the marketplace did: an endpoint switched off, a token expired', async (t) => {
  const account = await world().account();
  const { store } = world();
  const id = endpointId(await anEndpoint(account));
  for (let count = 0; count < 15; count += 1)
    await inTransaction(store, (session) =>
      changeEndpointLife(store, id, {
        next: (life) => afterGivenUp(life, { error: 'HTTP 500', now: present() }),
        session,
      }),
    );
  await connect(account);
  const row = await createMarketplaceWatch(store).find(accountId(account.id));
  await createMarketplaceWatch(store).markExpired(accountId(account.id), row?.tokenEncrypted ?? '', present());
  await createMarketplaceWatch(store).markExpired(accountId(account.id), row?.tokenEncrypted ?? '', present());
  await connect(account, 'next');
  await ok(world().call('PATCH', `/integration/webhooks/${id}`, { token: account.token, body: { active: true } }));
  const entries = (await log(account.token)).entries.slice(0, 5);
  t.deepEqual(
    entries.map(({ kind, actor }: { kind: string; actor: { kind: string } }) => `${kind} by ${actor.kind}`),
    [
      'webhook_enabled by dashboard',
      'marketplace_reconnected by dashboard',
      'marketplace_expired by marketplace',
      'marketplace_connected by dashboard',
      'webhook_disabled by service',
    ],
  );
});

test('sessions: registered, signed in and signed out', async (t) => {
  const { email, password, token } = await world().account();
  const signedIn = await ok(world().call('POST', '/auth/login', { body: { email, password } }));
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .join('; ');
  await ok(world().call('POST', '/auth/logout', { headers: { cookie } }));
  const kinds = await kindsOf(token);
  for (const kind of ['account_registered', 'signed_in', 'signed_out']) t.true(kinds.includes(kind), kind);
});

test('pages: cursor, filters and times; another account sees nothing of it', async (t) => {
  const { token } = await world().account();
  for (const name of ['1', '2', '3'])
    await ok(world().call('POST', '/integration/api-keys/generate', { token, body: { name } }));
  const kind = '?kind=api_key_generated';
  const names: string[] = [];
  for (let query = `${kind}&limit=2`, page = 0; page < 5; page += 1) {
    const { entries, nextCursor } = await log(token, query);
    names.push(...entries.map(({ details }: { details: { name: string } }) => details.name));
    if (nextCursor === null) break;
    query = `${kind}&limit=2&cursor=${nextCursor}`;
  }
  t.deepEqual(names, ['3', '2', '1', 'API Key']);
  t.deepEqual((await log(token, '?until=2020-01-01')).entries, []);
  t.deepEqual((await log(token, '?since=2090-01-01')).entries, []);
  t.deepEqual((await log(token, '?since=2026-01-02&until=2026-01-01')).entries, []);
  t.deepEqual((await log(token, '?actor=reseller')).entries, []);
  const other = await world().account();
  const ownKinds = await kindsOf(other.token);
  t.is(ownKinds.filter((name) => name === 'api_key_generated').length, 1);
});

test('400: parameters and cursors that make no sense', async (t) => {
  const { token } = await world().account();
  const { nextCursor } = await log(token, '?limit=1');
  const forged = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  for (const query of [
    'limit=0',
    'limit=501',
    'kind=nothing',
    'actor=me',
    'view=all',
    'since=yesterday',
    'externalId=',
    'unknown=1',
    'cursor=x',
    `cursor=${nextCursor}&kind=created`,
    `cursor=${forged([1, 1, {}, '[]'])}`,
    `cursor=${forged([9e15, 1, 'a', '["own",null,null,null,null,null]'])}`,
  ])
    isError(t, await world().call('GET', `/partner/audit-log?${query}`, { token }), {
      status: 400,
      code: 'BAD_REQUEST',
    });
  const old = forged([-5, 1, 'a', '["own",null,null,null,null,null]']);
  t.deepEqual((await log(token, `?cursor=${old}`)).entries, []);
});

// Serial: changing the collection's rule locks it, which fails the transactions of tests beside it.
// specification: none-without-its-change
test.serial(
  'an entry stands with its change or not at all: when the log cannot be written, nothing is changed',
  async (t) => {
    const account = await world().account();
    const { token } = account;
    const id = await aKeyId(account);
    await withoutLog([account], async () => {
      for (const [method, path, body] of [
        ['DELETE', `/integration/api-keys/${id}`, undefined],
        ['POST', '/integration/webhooks', aHookBody],
        ['PUT', '/integration/webhook-settings', { webhookUrl: hookUrl }],
      ] as const)
        t.is((await world().call(method, path, { token, body })).status, 500, path);
    });
    t.is(await aKeyId(account), id);
    t.deepEqual((await world().call('GET', '/integration/webhooks', { token })).body.webhooks, []);
    t.is((await world().call('GET', '/integration/webhook-settings', { token })).body.webhookUrl, null);
  },
);

// specification: bounded-reading-kept-400
test('entries go after 400 days', async (t) => {
  const { id } = await world().account();
  const row = await world().store.connection.collection('audit').findOne({ accountId: id });
  t.is(row?.['purgeAt'] - row?.['at'], 400 * 86_400_000);
  const indexes = await world().store.connection.collection('audit').indexes();
  t.like(
    indexes.find(({ key }) => 'purgeAt' in key),
    { expireAfterSeconds: 0 },
  );
});
