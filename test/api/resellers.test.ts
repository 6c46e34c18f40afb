import test from 'ava';
import { setSuspension } from '../../features/accounts/administer-account.ts';
import { isError, withApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test);
const connect = (slug: string, token: string) => world().call('POST', `/p/${slug}/connect`, { token });
const rename = (token: string, memberUserId: string, externalId: unknown) =>
  world().call('PUT', `/business/my-profile/connections/${memberUserId}`, { token, body: { externalId } });
const members = async (token: string) =>
  (await world().call('GET', '/business/my-profile/connections', { token })).body.connections;
const leave = (token: string) => world().call('DELETE', '/business/my-deal', { token });

test('connect 201: membership and deal; its first reference is the member id', async (t) => {
  const [reseller, member] = [await world().reseller(), await world().account()];
  const reply = await connect(reseller.slug, member.token);
  t.is(reply.status, 201);
  t.like(reply.body.membership, { memberUserId: member.id, resellerUserId: reseller.id, externalId: member.id });
  t.like(reply.body.deal, { kind: 'sub_account', resellerUserId: reseller.id });
  const headers = { 'x-partner-account': member.id };
  t.is((await world().call('GET', '/integration/v1/items/x', { apiKey: reseller.apiKey, headers })).status, 404);
});

test('connect 200: already a member, also when both come at once', async (t) => {
  const [reseller, member] = [await world().reseller(), await world().account()];
  const statuses = await Promise.all([1, 2, 3, 4].map(async () => (await connect(reseller.slug, member.token)).status));
  t.deepEqual(statuses.sort(), [200, 200, 200, 201]);
  t.is((await members(reseller.token)).length, 1);
});

test('connect 404: an unknown page', async (t) => {
  const { token } = await world().account();
  isError(t, await connect('no-such-page', token), { status: 404, code: 'NOT_FOUND' });
});

// specification: already-connected-409
test('connect 409: the member of another, the reseller itself, another reseller', async (t) => {
  const [one, two] = [await world().reseller(), await world().reseller()];
  const member = await world().memberOf(one);
  isError(t, await connect(two.slug, member.token), { status: 409, code: 'ALREADY_CONNECTED' });
  isError(t, await connect(one.slug, one.token), { status: 409, code: 'CONFLICT' });
  isError(t, await connect(one.slug, two.token), { status: 409, code: 'CONFLICT' });
});

test('rename 200: the new reference works at once and the old one no more', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  const reply = await rename(reseller.token, member.id, 'Butik 7');
  t.is(reply.status, 200);
  t.like(reply.body, { memberUserId: member.id, externalId: 'Butik 7', memberName: 'Medlemmen AB' });
  const read = async (reference: string) =>
    (
      await world().call('GET', '/integration/v1/items/x', {
        apiKey: reseller.apiKey,
        headers: { 'x-partner-account': reference },
      })
    ).status;
  t.is(await read('Butik 7'), 404);
  t.is(await read(member.reference), 403);
});

// specification: reference-taken-409
test('rename 404, 409, 422: nobody of ours, a reference in use, one that no header can carry', async (t) => {
  const [reseller, other] = [await world().reseller(), await world().reseller()];
  const [one, two] = [await world().memberOf(reseller), await world().memberOf(reseller)];
  isError(t, await rename(other.token, one.id, 'mine'), { status: 404, code: 'NOT_FOUND' });
  isError(t, await rename(reseller.token, one.id, two.reference), { status: 409, code: 'REFERENCE_TAKEN' });
  for (const reference of ['', ' x', 'Åmål', 'a\nb', 'x'.repeat(256), 7]) {
    isError(t, await rename(reseller.token, one.id, reference), { status: 422, code: 'VALIDATION_FAILED' });
  }
});

test('list 200: members oldest first; none for an account that is no reseller', async (t) => {
  const reseller = await world().reseller();
  const [one, two] = [await world().memberOf(reseller), await world().memberOf(reseller)];
  t.deepEqual(
    (await members(reseller.token)).map((member: { externalId: string }) => member.externalId),
    [one.reference, two.reference],
  );
  t.deepEqual(await members(one.token), []);
});

test('leave 204, always: the reference stops working, and the member may join again', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  for (const _ of [1, 2]) t.is((await leave(member.token)).status, 204);
  const headers = { 'x-partner-account': member.reference };
  const read = await world().call('GET', '/integration/v1/items/x', { apiKey: reseller.apiKey, headers });
  isError(t, read, { status: 403, code: 'PARTNER_ACCOUNT_FORBIDDEN' });
  t.is((await connect(reseller.slug, member.token)).status, 201);
  const versions = await world().store.connection.collection('deals').find({ accountId: member.id }).toArray();
  t.deepEqual(versions.map((deal) => deal['current']).sort(), [false, true]);
});

test('remove 204: the reseller acts for the member no more, and both logs say who did it', async (t) => {
  const reseller = await world().reseller();
  const [member, other] = [await world().memberOf(reseller), await world().memberOf(reseller)];
  const path = `/business/my-profile/connections/${member.id}`;
  t.is((await world().call('DELETE', path, { token: reseller.token })).status, 204);
  t.deepEqual(
    (await members(reseller.token)).map(({ memberUserId }: { memberUserId: string }) => memberUserId),
    [other.id],
  );
  const headers = { 'x-partner-account': member.reference };
  const read = await world().call('GET', '/integration/v1/items/x', { apiKey: reseller.apiKey, headers });
  isError(t, read, { status: 403, code: 'PARTNER_ACCOUNT_FORBIDDEN' });
  t.is((await world().call('GET', '/business/my-deal', { token: member.token })).body.kind, 'consumer_default');
  const told = async (token: string) =>
    (await world().call('GET', '/partner/audit-log?kind=member_removed', { token })).body.entries.map(
      ({ actor, details }: Record<string, Record<string, string>>) => [actor?.['kind'], details],
    );
  t.deepEqual(await told(member.token), [['reseller', { resellerUserId: reseller.id }]]);
  const details = { memberUserId: member.id, externalId: member.reference };
  t.deepEqual(await told(reseller.token), [['dashboard', details]]);
  isError(t, await world().call('DELETE', path, { token: reseller.token }), { status: 404, code: 'NOT_FOUND' });
  t.is((await connect(reseller.slug, member.token)).status, 201);
});

test('remove 404: the member of another, the reseller itself, nobody', async (t) => {
  const [reseller, other] = [await world().reseller(), await world().reseller()];
  const member = await world().memberOf(other);
  for (const id of [member.id, other.id, reseller.id, 'nobody']) {
    const path = `/business/my-profile/connections/${id}`;
    isError(t, await world().call('DELETE', path, { token: reseller.token }), { status: 404, code: 'NOT_FOUND' });
    isError(t, await world().call('DELETE', path, { token: member.token }), { status: 404, code: 'NOT_FOUND' });
  }
  t.is((await members(other.token)).length, 1);
});

test('connect 404: nobody joins a suspended reseller, and its page is gone until it is resumed', async (t) => {
  const [reseller, visitor] = [await world().reseller(), await world().account()];
  const suspend = (isSuspended: boolean) => setSuspension(world(), { email: reseller.email, isSuspended });
  await suspend(true);
  const [page, profile] = [`/p/${reseller.slug}`, `/public/profiles/${reseller.slug}`];
  t.is((await fetch(world().url + page)).status, 404);
  isError(t, await connect(reseller.slug, visitor.token), { status: 404, code: 'NOT_FOUND' });
  t.false((await world().call('GET', profile)).body.ownerHasResellerDeal);
  await suspend(false);
  t.is((await fetch(world().url + page)).status, 200);
  t.is((await connect(reseller.slug, visitor.token)).status, 201);
});

test('leave 204: a paid deal is never touched', async (t) => {
  const reseller = await world().reseller();
  t.is((await leave(reseller.token)).status, 204);
  t.true((await world().call('GET', `/public/profiles/${reseller.slug}`)).body.ownerHasResellerDeal);
});

test('public profile 200 to everybody, 404 for an unknown slug', async (t) => {
  const reseller = await world().reseller();
  const reply = await world().call('GET', `/public/profiles/${reseller.slug}`);
  t.is(reply.status, 200);
  t.deepEqual(reply.body, {
    slug: reseller.slug,
    displayName: 'Återförsäljaren AB',
    description: '',
    logoUrl: null,
    ownerHasResellerDeal: true,
    needsApproval: false,
  });
  isError(t, await world().call('GET', '/public/profiles/nobody'), { status: 404, code: 'NOT_FOUND' });
});
