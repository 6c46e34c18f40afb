import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { isForMembers } from '../../api/http/route.ts';
import { routes } from '../../api/routes.ts';
import { isError, withApiWorld, type Reply, type TestAccount } from '../support/api-world.ts';
import { auditSteps, ok } from '../support/audit-steps.ts';
import { Barrier } from '../support/barrier.ts';
import { failImages } from '../support/failing-items.ts';
import { routesWith } from '../support/around-calls.ts';
import { said } from '../support/said.ts';

// A reseller's session acts for a member with ?member=, as its key does with X-Partner-Account.

/** By the account that acts: its calls wait inside of their handlers, right before they do their work. */
const barriers = new Map<string, Barrier>();
const world = withApiWorld(test, {
  routes: routesWith(async (route, call, handle) => {
    if (/\/items\b/.test(route)) await barriers.get(call.scope.actingAccountId)?.pass();
    return handle(call);
  }),
});
const { log } = auditSteps(world);
const anItem = { title: 'Strålkastare', price: 450, imageUrls: [] };

const push = ({ apiKey }: TestAccount, externalId: string, body: object = anItem) =>
  ok(world().call('PUT', `/integration/v1/items/${externalId}`, { apiKey, body }));

interface Call {
  readonly method: string;
  /** Below /partner/items. */
  readonly path: string;
  readonly body?: object;
}

const reads: readonly Call[] = ['', '/a', '/a/timeline'].map((path) => ({ method: 'GET', path }));
const writes: readonly Call[] = [
  { method: 'POST', path: '/a/publish' },
  { method: 'POST', path: '/a/retry' },
  { method: 'PATCH', path: '/a/status', body: { status: 'not_listed' } },
  { method: 'DELETE', path: '/a' },
];

const callFor = ({ token }: TestAccount, member: string, { method, path, body }: Call): Promise<Reply> =>
  world().call(method, `/partner/items${path}?member=${encodeURIComponent(member)}`, {
    token,
    ...(body !== undefined && { body }),
  });

/** A reseller and its member with an item `a` whose image failed; the reseller has an `a` of its own. */
async function aCouple() {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  for (const account of [reseller, member]) {
    await push(account, 'a', { ...anItem, title: account.id, imageUrls: ['https://img.example.se/1.jpg'] });
    await failImages(world(), { ...account, externalId: 'a' });
  }
  return { reseller, member };
}

const leave = ({ token }: TestAccount) => ok(world().call('DELETE', '/business/my-deal', { token }));

// specification: member-for-resellers-under
test('a reseller reads the items of its member, and without member its own', async (t) => {
  const { reseller, member } = await aCouple();
  t.is((await ok(callFor(reseller, member.id, { method: 'GET', path: '/a' }))).body.title, member.id);
  t.deepEqual(
    (await ok(callFor(reseller, member.id, { method: 'GET', path: '' }))).body.items.map(
      ({ title }: { title: string }) => title,
    ),
    [member.id],
  );
  const own = await ok(world().call('GET', '/partner/items/a', { token: reseller.token }));
  t.is(own.body.title, reseller.id);
});

// specification: what-is-done-for
test('what a reseller does for its member changes that one’s item alone, and is told with who acted', async (t) => {
  const { reseller, member } = await aCouple();
  const before = await ok(world().call('GET', '/partner/items/a', { token: reseller.token }));
  const requestIds: (string | null)[] = [];
  for (const call of [...writes].sort((one, other) =>
    one.path === '/a/retry' ? -1 : other.path === '/a/retry' ? 1 : 0,
  ))
    requestIds.push((await ok(callFor(reseller, member.id, call))).headers.get('x-request-id'));
  t.deepEqual((await ok(world().call('GET', '/partner/items/a', { token: reseller.token }))).body, before.body);
  const { entries } = await log(member.token, '?externalId=a');
  const done = entries.filter(({ actor }: { actor: { kind: string } }) => actor.kind === 'reseller');
  t.deepEqual(
    done.map(({ kind, requestId }: { kind: string; requestId: string }) => [kind, requestId]).reverse(),
    ['retry_requested', 'publish_requested', 'status_changed', 'deleted'].map((kind, n) => [kind, requestIds[n]]),
  );
  for (const { actor, userId } of done) {
    t.is(userId, member.id);
    t.deepEqual(actor, { kind: 'reseller', userId: reseller.id, keyId: null });
  }
  const acting = await log(reseller.token, '?view=acting');
  t.is(acting.entries.filter(({ userId }: { userId: string }) => userId === member.id).length, 4);
});

for (const call of [...reads, ...writes])
  // specification: member-for-resellers-under
  test(`${call.method} ${call.path} 404 in the same words for whoever is no member of the caller`, async (t) => {
    const { reseller, member } = await aCouple();
    const other = await aCouple();
    const left = await world().memberOf(reseller);
    await leave(left);
    const replies = [
      await callFor(reseller, other.member.id, call),
      await callFor(reseller, left.id, call),
      await callFor(reseller, reseller.id, call),
      await callFor(reseller, other.member.reference, call),
      await callFor(reseller, randomUUID(), call),
      await callFor(reseller, '', call),
      await callFor(member, reseller.id, call),
      await callFor(member, member.id, call),
    ];
    for (const reply of replies) isUnknownMember(t, reply);
  });

const isUnknownMember = (t: ExecutionContext, reply: Reply): void => {
  isError(t, reply, { status: 404, code: 'NOT_FOUND' });
  t.is(reply.body.error, 'No member of this account has this user id or reference (member)');
};

for (const call of [...reads, ...writes])
  // specification: a-disconnect-closes-it
  test(`${call.method} ${call.path} 404 when the member leaves while the call is in its handler; nothing is written`, async (t) => {
    const { reseller, member } = await aCouple();
    const items = world().store.connection.collection('items');
    const before = await items.find({ accountId: member.id }).toArray();
    const barrier = new Barrier();
    barriers.set(reseller.id, barrier);
    const answer = callFor(reseller, member.id, call);
    await barrier.reached;
    await leave(member);
    barrier.open();
    isUnknownMember(t, await answer);
    t.deepEqual(await items.find({ accountId: member.id }).toArray(), before);
  });

test('a member named twice is 400', async (t) => {
  const { reseller, member } = await aCouple();
  const path = `/partner/items?member=${member.id}&member=${member.id}`;
  isError(t, await world().call('GET', path, { token: reseller.token }), { status: 400, code: 'BAD_REQUEST' });
});

/** By session they are about the reseller's own account alone. */
const withoutMembers = routes.filter(
  (route) => (route.credential === 'jwt' || route.credential === 'either') && !isForMembers(route),
);

test('there are routes that a session has for its own account alone, with a key or without', (t) => {
  t.true(withoutMembers.length > 30);
  t.true(withoutMembers.some(({ credential }) => credential === 'either'));
});

for (const { method, path } of withoutMembers)
  test(`${method.toUpperCase()} ${path} 400 with a member, and nothing is done`, async (t) => {
    const reseller = await world().reseller();
    const member = await world().memberOf(reseller);
    const target = path.replaceAll(/\{\w+\}/g, member.id);
    const { token } = reseller;
    const audit = world().store.connection.collection('audit');
    const before = await audit.countDocuments({ accountId: { $in: [reseller.id, member.id] } });
    const reply = await world().call(method.toUpperCase(), `${target}?member=${member.id}`, { token });
    isError(t, reply, { status: 400, code: 'BAD_REQUEST' });
    t.deepEqual(said(reply.body.details), [{ field: 'member', message: 'is not a parameter of this path' }]);
    t.is(await audit.countDocuments({ accountId: { $in: [reseller.id, member.id] } }), before);
  });
