import { randomUUID } from 'node:crypto';
import test from 'ava';
import { grantResellerAgreement } from '../../features/resellers/agreements.ts';
import { isError, startApiWorld, withApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test);
const read = (token: string) => world().call('GET', '/business/my-profile', { token });
const put = (token: string, body: object) => world().call('PUT', '/business/my-profile', { token, body });
const aSlug = (): string => `p-${randomUUID().slice(0, 13)}`;
const changes = async (token: string) =>
  (await world().call('GET', '/partner/audit-log', { token })).body.entries.filter(
    ({ kind }: { kind: string }) => kind === 'profile_changed',
  );

// specification: get-and-put-business
test('my profile 404 until it is made; any account may have one, but nobody can join under it', async (t) => {
  const [{ token }, visitor] = [await world().account(), await world().account()];
  isError(t, await read(token), { status: 404, code: 'NOT_FOUND' });
  const wish = { slug: aSlug(), displayName: 'Bildelar Norr', description: 'Delar\noch mer' };
  const made = await put(token, wish);
  t.is(made.status, 200);
  t.deepEqual(made.body, { ...wish, logoUrl: null, ownerHasResellerDeal: false, needsApproval: false });
  t.deepEqual((await read(token)).body, made.body);
  t.deepEqual((await world().call('GET', `/public/profiles/${wish.slug}`)).body, made.body);
  const join = await world().call('POST', `/p/${wish.slug}/connect`, { token: visitor.token });
  isError(t, join, { status: 404, code: 'NOT_FOUND' });
});

// specification: get-and-put-business
test('my profile 200: members join under another slug, and nothing is left under the former one', async (t) => {
  const [reseller, member] = [await world().reseller(), await world().account()];
  const slug = aSlug();
  t.like((await put(reseller.token, { slug, displayName: 'Nytt namn' })).body, {
    slug,
    displayName: 'Nytt namn',
    description: '',
    ownerHasResellerDeal: true,
  });
  t.is((await world().call('GET', `/public/profiles/${reseller.slug}`)).status, 404);
  t.is((await world().call('POST', `/p/${slug}/connect`, { token: member.token })).status, 201);
});

test('my profile 409: the former slug of a reseller is kept for it for 90 days, whatever comes after it', async (t) => {
  const own = await startApiWorld();
  t.teardown(() => own.close());
  const reseller = await own.reseller();
  const change = (token: string, slug: string) =>
    own.call('PUT', '/business/my-profile', { token, body: { slug, displayName: 'X' } });
  const others = async () => (await change((await own.account()).token, reseller.slug)).status;
  for (const slug of [aSlug(), aSlug()]) t.is((await change(reseller.token, slug)).status, 200);
  t.is(await others(), 409);
  const { email } = await own.account();
  const grant = { email, commissionBps: 250, slug: reseller.slug };
  const granted = grantResellerAgreement({ store: own.store, now: own.now, newId: randomUUID }, grant);
  await t.throwsAsync(granted, { message: /belongs to another account/ });
  own.pass(89 * 86_400_000);
  t.is(await others(), 409);
  own.pass(2 * 86_400_000);
  t.is(await others(), 200);
});

test('my profile 200: a reseller takes its former slug back, and then that one alone is its own', async (t) => {
  const [reseller, other] = [await world().reseller(), await world().account()];
  const slug = aSlug();
  for (const next of [slug, reseller.slug])
    t.is((await put(reseller.token, { slug: next, displayName: 'X' })).status, 200);
  isError(t, await put(other.token, { slug, displayName: 'X' }), { status: 409, code: 'CONFLICT' });
  t.like((await read(reseller.token)).body, { slug: reseller.slug });
});

test('my profile 200: the former slug of an account without an agreement is free at once, so that none are hoarded', async (t) => {
  const [one, other] = [await world().account(), await world().account()];
  const slug = aSlug();
  for (const next of [slug, aSlug()]) t.is((await put(one.token, { slug: next, displayName: 'X' })).status, 200);
  t.is((await put(other.token, { slug, displayName: 'X' })).status, 200);
});

/** A page that begins as a PNG. */
const pageAsPng = Buffer.from('\u0089PNG\r\n\u001A\n<script>alert(1)</script>', 'latin1').toString('base64');
/** A PNG of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('my profile 200: a logo is kept until another or none is wished, and answered at an address of its own', async (t) => {
  const [{ token }, other] = [await world().account(), await world().account()];
  const wish = { slug: aSlug(), displayName: 'Bildelar Norr' };
  const addressNow = async () => (await read(token)).body.logoUrl;
  const made = await put(token, { ...wish, logo: pixel });
  t.is(made.status, 200, made.text);
  await put(other.token, { slug: aSlug(), displayName: 'En annan', logo: null });
  await put(token, { ...wish, displayName: 'Nytt namn' });
  t.is(await addressNow(), made.body.logoUrl);
  const { pathname, search } = new URL(made.body.logoUrl);
  const shown = await fetch(`${world().url}${pathname}${search}`);
  t.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/png']);
  t.is(shown.headers.get('x-content-type-options'), 'nosniff');
  t.regex(shown.headers.get('cache-control') ?? '', /immutable/);
  t.is(Buffer.from(await shown.arrayBuffer()).toString('base64'), pixel);
  const former = await fetch(`${world().url}${pathname}?v=another`);
  t.is(former.headers.get('cache-control'), 'no-cache');
  t.is((await put(token, { ...wish, logo: null })).body.logoUrl, null);
  t.is(await addressNow(), null);
  t.is((await fetch(`${world().url}${pathname}${search}`)).status, 404);
  t.is((await changes(token)).length, 3);
});

// specification: get-and-put-business
test('my profile 409: the slug of another account, of two at once one gets it', async (t) => {
  const [reseller, one, two] = [await world().reseller(), await world().account(), await world().account()];
  const taken = await put(one.token, { slug: reseller.slug, displayName: 'En annan' });
  isError(t, taken, { status: 409, code: 'CONFLICT' });
  isError(t, await read(one.token), { status: 404, code: 'NOT_FOUND' });
  const slug = aSlug();
  const both = await Promise.all([one, two].map(({ token }) => put(token, { slug, displayName: 'X' })));
  t.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409]);
});

// specification: get-and-put-business
test('my profile 422: each field has its rules, and unknown fields are refused', async (t) => {
  const { token } = await world().account();
  const good = { slug: 'good', displayName: 'Bra' };
  const wrong: [object, string][] = [
    [{ displayName: 'X' }, 'slug'],
    [{ slug: 'x' }, 'displayName'],
    ...['', 'Åre', 'A', '-a', 'a-', 'a b', 'a/b', 'x'.repeat(65), 7].map((slug): [object, string] => [
      { ...good, slug },
      'slug',
    ]),
    ...['', '  ', 'två\nrader', 'x'.repeat(256)].map((displayName): [object, string] => [
      { ...good, displayName },
      'displayName',
    ]),
    [{ ...good, description: 'x'.repeat(2_001) }, 'description'],
    ...['', 'no Base64', Buffer.from('<svg/>').toString('base64'), pageAsPng, 'A'.repeat(140_000), 7].map(
      (logo): [object, string] => [{ ...good, logo }, 'logo'],
    ),
    [{ ...good, ownerHasResellerDeal: true }, 'ownerHasResellerDeal'],
  ];
  for (const [body, field] of wrong) {
    const reply = await put(token, body);
    isError(t, reply, { status: 422, code: 'VALIDATION_FAILED' });
    t.true(
      reply.body.details.some((detail: { field: string }) => detail.field === field),
      `${field}: ${reply.text}`,
    );
  }
});
