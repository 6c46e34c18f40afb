import test from 'ava';
import { createItemStore } from '../../features/items/store/items.ts';
import { accountId } from '../../features/rules/ids.ts';
import { setOperator } from '../../features/accounts/administer-account.ts';
import { isError, withApiWorld, type TestAccount } from '../support/api-world.ts';
import { ok } from '../support/audit-steps.ts';
import { failImages, failListingOf } from '../support/failing-items.ts';

// The items for people: the same use cases as behind the API key, by a session.

const world = withApiWorld(test);
const anItem = { title: 'Strålkastare', price: 450, imageUrls: [] };
const anImage = ['https://img.example.se/1.jpg'];

const push = ({ apiKey }: TestAccount, externalId: string, body: object = anItem) =>
  ok(world().call('PUT', `/integration/v1/items/${encodeURIComponent(externalId)}`, { apiKey, body }));
/** `route` is the method and what comes after /partner/items. */
const call = ({ token }: TestAccount, route: `${string} ${string}`, body?: object) => {
  const [method = '', path = ''] = route.split(' ');
  return world().call(method, `/partner/items${path}`, { token, ...(body !== undefined && { body }) });
};
const stored = ({ id }: TestAccount, externalId: string) =>
  createItemStore(world().store).findVisible(accountId(id), externalId);

// specification: get-partner-items-externalid
test('GET list and timeline say by session what they say by key', async (t) => {
  const account = await world().account();
  for (const externalId of ['a', 'b/ö', 'c']) await push(account, externalId);
  const { apiKey } = account;
  for (const path of ['', '?q=strålkastare', '/b%2F%C3%B6/timeline', '/b%2F%C3%B6/timeline?limit=1']) {
    const byKey = await ok(world().call('GET', `/integration/v1/items${path}`, { apiKey }));
    t.deepEqual((await ok(call(account, `GET ${path}`))).body, byKey.body, path);
  }
  const first = await ok(world().call('GET', '/integration/v1/items?limit=2', { apiKey }));
  const rest = await ok(call(account, `GET ?limit=2&cursor=${encodeURIComponent(first.body.nextCursor)}`));
  t.like(rest.body.items, [{ externalId: 'a' }]);
});

// specification: get-partner-items-externalid
test('GET answers the whole item with its ETag, what stands behind a wait, and no workflow to who is no operator', async (t) => {
  const account = await world().account();
  await push(account, 'a');
  const full = await world().call('GET', '/integration/v1/items/a?view=full', { apiKey: account.apiKey });
  const reply = await ok(call(account, 'GET /a'));
  t.deepEqual(reply.body, {
    ...full.body,
    processing: { ...full.body.processing, since: null, nextTryAt: null },
    problem: null,
    canRetry: false,
    workflow: null,
  });
  t.is(reply.headers.get('etag'), full.headers.get('etag'));
  t.is(reply.headers.get('cache-control'), 'no-store');
});

// specification: operators-are-told-the
test('GET tells an operator where the work of its item is', async (t) => {
  const account = await world().account();
  await push(account, 'a');
  const change = (isOperator: boolean) => setOperator(world(), { email: account.email, isOperator });
  await change(true);
  const { body } = await ok(call(account, 'GET /a'));
  const id = `item:${body.serviceItemId}`;
  const workflows = 'http://temporal.test/namespaces/test/workflows';
  // No workflow of it is known, so what is shown is a list that may be empty.
  const url = `${workflows}?query=${encodeURIComponent(`WorkflowId="${id}"`)}`;
  t.deepEqual(body.workflow, { id, url, stuckUrl: null });
  const rows = world().store.connection.collection<{ _id: string }>('items');
  await rows.updateOne({ _id: body.serviceItemId }, { $set: { startAt: world().now() } });
  t.is((await ok(call(account, 'GET /a'))).body.workflow?.url, `${workflows}/${encodeURIComponent(id)}`);
  const given = { 'processing.stage': 'given_up', 'processing.waitingFor': null };
  await rows.updateOne({ _id: body.serviceItemId }, { $set: given });
  const list = encodeURIComponent("ExecutionStatus = 'Running' AND BlockedReason = 'given_up'");
  t.is((await ok(call(account, 'GET /a'))).body.workflow?.stuckUrl, `${workflows}?query=${list}`);
  await change(false);
  t.is((await ok(call(account, 'GET /a'))).body.workflow, null);
});

// specification: publish-patch-status-delete
test('publish, status and delete do by session what they do by key, and the dashboard stands as who did it', async (t) => {
  const account = await world().account();
  await push(account, 'a');
  const published = await ok(call(account, 'POST /a/publish'));
  t.like(published, { status: 202, body: { success: true, message: 'Publication requested' } });
  t.truthy(published.headers.get('etag'));
  t.like(await ok(call(account, 'PATCH /a/status', { status: 'not_listed' })), {
    status: 202,
    body: { message: 'Status updated' },
  });
  const { entries } = (await ok(call(account, 'GET /a/timeline'))).body;
  t.deepEqual(
    entries.map(({ kind, actor }: { kind: string; actor: string }) => `${kind} ${actor}`),
    ['status_changed dashboard', 'publish_requested dashboard', 'created api_key'],
  );
  t.like(await ok(call(account, 'DELETE /a')), { status: 202, body: { message: 'Item deleted' } });
  isError(t, await call(account, 'GET /a'), { status: 404, code: 'NOT_FOUND' });
});

// specification: publish-patch-status-delete
test('writes by session take If-Match and validateOnly as those by key do', async (t) => {
  const account = await world().account();
  const { headers } = await push(account, 'a');
  const etag = headers.get('etag') ?? '';
  const { token } = account;
  const publish = (tag: string) =>
    world().call('POST', '/partner/items/a/publish', { token, headers: { 'if-match': tag } });
  t.is((await ok(call(account, 'DELETE /a?validateOnly=true'))).status, 200);
  isError(t, await publish('"other"'), { status: 412, code: 'PRECONDITION_FAILED' });
  t.is((await publish(etag)).status, 202);
});

test('400: parameters that a path does not know, also view and a key’s header', async (t) => {
  const account = await world().account();
  await push(account, 'a');
  for (const path of ['?limt=1', '/a?view=full', '/a/timeline?foo=1', '/a?memberId=x'])
    isError(t, await call(account, `GET ${path}`), { status: 400, code: 'BAD_REQUEST' });
  isError(t, await call(account, 'POST /a/retry?force=true'), { status: 400, code: 'BAD_REQUEST' });
});

// specification: publish-tries-failed-images
test('retry 202: images that failed are pending again, as publish does it, and the timeline says who asked', async (t) => {
  for (const how of ['retry', 'publish']) {
    const account = await world().account();
    await push(account, 'a', { ...anItem, imageUrls: anImage, autoPublishTradera: true });
    await failImages(world(), { ...account, externalId: 'a' });
    const before = (await ok(call(account, 'GET /a'))).body;
    t.like(before, { serviceStatus: 'draft', problem: 'images', processing: { waitingFor: 'images' } });
    t.is((await ok(call(account, `POST /a/${how}`))).status, 202);
    const { body } = await ok(call(account, 'GET /a'));
    t.like(body, { serviceStatus: 'draft', processing: { waitingFor: null, lastError: null } });
    t.deepEqual(
      body.images.map(({ state }: { state: string }) => state),
      ['pending'],
    );
    const item = await stored(account, 'a');
    t.is(item?.wantedPublication, 1);
    t.not(item?.revision, item?.settledRevision, 'work is owed');
    const { entries } = (await ok(call(account, 'GET /a/timeline'))).body;
    t.like(entries[0], { kind: `${how}_requested`, actor: 'dashboard' });
  }
});

for (const cause of ['MARKETPLACE_TOKEN_EXPIRED', 'MARKETPLACE_TIMEOUT', 'MARKETPLACE_BUDGET_EXHAUSTED'] as const)
  test(`retry 202: what waits (${cause}) is due at once`, async (t) => {
    const account = await world().account();
    await push(account, 'a', { ...anItem, autoPublishTradera: true });
    const waiting = await failListingOf(world(), { ...account, externalId: 'a' }, cause);
    t.true((waiting.processing.notBefore ?? world().now()) > world().now());
    t.like((await ok(call(account, 'GET /a'))).body, {
      canRetry: true,
      processing: {
        since: waiting.processing.since?.toISOString(),
        nextTryAt: waiting.processing.notBefore?.toISOString(),
      },
    });
    await ok(call(account, 'POST /a/retry'));
    const item = await stored(account, 'a');
    t.true((item?.processing.notBefore ?? new Date(0)) <= world().now());
    // The process that stored it starts its workflow; a relay does after five seconds.
    t.true((item?.startAt?.getTime() ?? Number.NaN) <= world().now().getTime() + 5_000);
    t.deepEqual(item?.processing.since, waiting.processing.since);
    t.false((await ok(call(account, 'GET /a'))).body.canRetry, 'it is due already');
    t.is((await ok(call(account, 'POST /a/retry'))).status, 202);
    t.deepEqual(await stored(account, 'a'), item);
  });

// specification: retry-begins-nothing-that
test('retry 409 when nothing failed and nothing waits, also only checked; 404 for what is not there', async (t) => {
  const account = await world().account();
  await push(account, 'a');
  for (const query of ['', '?validateOnly=true']) {
    const reply = await call(account, `POST /a/retry${query}`);
    isError(t, reply, { status: 409, code: 'CONFLICT' });
    t.is(reply.body.error, 'There is nothing to retry: nothing failed and nothing waits');
  }
  isError(t, await call(account, 'POST /unknown/retry'), { status: 404, code: 'NOT_FOUND' });
});

test('retry with validateOnly has no effect; with an Idempotency-Key it is done once', async (t) => {
  const account = await world().account();
  await push(account, 'a', { ...anItem, imageUrls: anImage });
  await failImages(world(), { ...account, externalId: 'a' });
  const before = await stored(account, 'a');
  t.like(await ok(call(account, 'POST /a/retry?validateOnly=true')), {
    status: 200,
    body: { valid: true, message: 'A retry would be requested' },
  });
  t.deepEqual(await stored(account, 'a'), before);
  const { token } = account;
  const retry = () =>
    world().call('POST', '/partner/items/a/retry', { token, headers: { 'idempotency-key': 'retry-1' } });
  const [first, again] = [await ok(retry()), await ok(retry())];
  t.deepEqual(again.body, first.body);
  t.is((await stored(account, 'a'))?.revision, (before?.revision ?? 0) + 1);
});

test('a line of a bulk sync that was accepted before still counts after a retry', async (t) => {
  const account = await world().account();
  await push(account, 'a', { ...anItem, imageUrls: anImage });
  await failImages(world(), { ...account, externalId: 'a' });
  const { acceptedAt } = (await stored(account, 'a')) ?? {};
  await ok(call(account, 'POST /a/retry'));
  t.deepEqual((await stored(account, 'a'))?.acceptedAt, acceptedAt);
});
