import test from 'ava';
import sharp from 'sharp';
import { grantResellerAgreement, revokeResellerAgreement } from '../../features/resellers/agreements.ts';
import { withApiWorld, type TestAccount } from '../support/api-world.ts';
import { aVisitor, formsOf, nameOf, wordsOf } from './support/a-visitor.ts';

const world = withApiWorld(test);

const dealOf = async ({ token }: Pick<TestAccount, 'token'>) =>
  (await world().call('GET', '/business/my-deal', { token })).body;

const actionsOf = (page: { readonly text: string }) => formsOf(page).map(nameOf);

// specification: members-join-with-one
test('a member who is signed in to the dashboard joins with one click, and is told so', async (t) => {
  const [reseller, member] = [await world().reseller(), await world().account('Anna & Söner')];
  const visitor = aVisitor(world());
  await visitor.logIn(member);
  const page = await visitor.open(`/p/${reseller.slug}`);
  t.is(page.status, 200);
  t.true(wordsOf(page).includes(`Inloggad som Anna & Söner (${member.email})`));
  t.deepEqual(actionsOf(page), ['join', 'sign-out']);
  const joined = await visitor.send(page, 'join');
  t.is(joined.status, 303);
  t.is(joined.headers.get('location'), `/p/${reseller.slug}?done=joined`);
  const after = await visitor.follow(joined);
  t.true(wordsOf(after).includes('Klart! Kontot är nu medlem hos Återförsäljaren AB.'));
  t.deepEqual(actionsOf(after), ['sharing', 'leave', 'sign-out']);
  t.like(await dealOf(member), { kind: 'sub_account', reseller: { userId: reseller.id } });
});

test('a logo stands before the heading, with its words and its place kept; without one there is none', async (t) => {
  const reseller = await world().reseller();
  const open = async () => (await aVisitor(world()).open(`/p/${reseller.slug}`)).text;
  t.false((await open()).includes('<img'));
  const picture = sharp({ create: { width: 800, height: 128, channels: 3, background: '#095' } });
  const logo = (await picture.webp().toBuffer()).toString('base64');
  const body = { slug: reseller.slug, displayName: 'Norr & Söner', logo };
  t.is((await world().call('PUT', '/business/my-profile', { token: reseller.token, body })).status, 200);
  const page = await open();
  const [image = '', ...others] = page.match(/<img[^>]*>/g) ?? [];
  t.is(others.length, 0);
  t.regex(image, /width="240"\s+height="64"\s+alt="Logotyp för Norr &#38; Söner"/);
  t.true(page.indexOf('<img') < page.indexOf('<h1'));
  const [, src = ''] = /src="([^"]+)"/.exec(image) ?? [];
  t.is((await fetch(new URL(src, world().url))).headers.get('content-type'), 'image/webp');
});

test('the page asks whether the reseller may handle the orders: off unless it is ticked, and changed there', async (t) => {
  const reseller = await world().reseller();
  const path = `/p/${reseller.slug}`;
  for (const [fields, sharesOrders] of [
    [{}, false],
    [{ shares_orders: 'yes' }, true],
  ] as const) {
    const [member, visitor] = [await world().account(), aVisitor(world())];
    await visitor.logIn(member);
    t.false((await visitor.open(path)).text.includes('checked'));
    const joined = await visitor.follow(await visitor.send(await visitor.open(path), 'join', { fields }));
    t.like(await dealOf(member), { sharesOrders });
    t.is(joined.text.includes('checked'), sharesOrders);
    const changed = sharesOrders ? {} : { shares_orders: 'yes' };
    t.is((await visitor.send(joined, 'sharing', { fields: changed })).status, 303);
    t.like(await dealOf(member), { sharesOrders: !sharesOrders });
  }
});

// specification: members-join-with-one
test('joining is recorded for both sides as by POST /p/{slug}/connect, with the session and the request as actor', async (t) => {
  const [reseller, byPage, byCall] = [await world().reseller(), await world().account(), await world().account()];
  const visitor = aVisitor(world());
  await visitor.logIn(byPage);
  const sent = await visitor.send(await visitor.open(`/p/${reseller.slug}`), 'join');
  await world().call('POST', `/p/${reseller.slug}/connect`, { token: byCall.token });
  const entriesOf = async ({ id }: TestAccount) => {
    const rows = await world()
      .store.connection.collection('audit')
      .find({ accountId: id, kind: 'member_joined' })
      .toArray();
    return rows.map(({ actor, message, details, kind }) => ({ actor, message, details, kind }));
  };
  const [own] = await entriesOf(byPage);
  t.is(own?.actor.requestId, sent.headers.get('x-request-id'));
  const actor = { ...own?.actor, accountId: byCall.id, requestId: '' };
  const [other] = await entriesOf(byCall);
  t.deepEqual({ ...own, actor }, { ...other, actor: { ...other?.actor, requestId: '' } });
  t.is((await entriesOf(reseller)).length, 2);
});

// specification: members-join-with-one
test('joining again, and pressing the button twice, changes nothing and says the same', async (t) => {
  const [reseller, member] = [await world().reseller(), await world().account()];
  const visitor = aVisitor(world());
  await visitor.logIn(member);
  const page = await visitor.open(`/p/${reseller.slug}`);
  const answers = await Promise.all([visitor.send(page, 'join'), visitor.send(page, 'join')]);
  t.deepEqual(
    answers.map(({ status }) => status),
    [303, 303],
  );
  const connections = await world().call('GET', '/business/my-profile/connections', { token: reseller.token });
  t.is(connections.body.connections.length, 1);
});

// specification: what-joining-means-who
test('the page says who sells, who gets the money, the commission and how to leave, in both languages', async (t) => {
  const reseller = await world().reseller();
  const visitor = aVisitor(world());
  const swedish = await visitor.open(`/p/${reseller.slug}`, { 'accept-language': 'sv-SE,sv;q=0.9,en;q=0.5' });
  const english = await visitor.open(`/p/${reseller.slug}`, { 'accept-language': 'en-GB,en;q=0.9' });
  t.regex(swedish.text, /<html lang="sv">/);
  t.regex(english.text, /<html lang="en">/);
  for (const words of [
    'Vem säljer?',
    'Vem får pengarna?',
    '2,5 % i provision',
    'Hur lämnar du?',
    'Skapa konto och gå med',
  ])
    t.true(wordsOf(swedish).includes(words), words);
  for (const words of [
    'Who sells?',
    'Who gets the money?',
    'commission of 2.5%',
    'How do you leave?',
    'Create account and join',
  ])
    t.true(wordsOf(english).includes(words), words);
  t.is(english.headers.get('content-language'), 'en');
});

// specification: what-joining-means-who
test('a language that was chosen stays chosen through forms', async (t) => {
  const [reseller, member] = [await world().reseller(), await world().account()];
  const visitor = aVisitor(world());
  const chosen = await visitor.open(`/p/${reseller.slug}?lang=en`, { 'accept-language': 'sv' });
  t.regex(chosen.text, /<html lang="en">/);
  const fields = { email: member.email, password: member.password };
  const signedIn = await visitor.send(chosen, 'sign-in', { fields });
  t.is(signedIn.headers.get('location'), `/p/${reseller.slug}?lang=en`);
  const joined = await visitor.send(await visitor.follow(signedIn), 'join');
  t.is(joined.headers.get('location'), `/p/${reseller.slug}?lang=en&done=joined`);
  t.true(wordsOf(await visitor.follow(joined)).includes('Done! The account is now a member of'));
});

test('the description is shown as it was written, and nothing in it is markup', async (t) => {
  const reseller = await world().reseller();
  const evil = `"><script>alert('x')</script> & Söner`;
  const body = { slug: reseller.slug, displayName: evil, description: `Ett stycke.\n\n<img src=x onerror=y>\nrad två` };
  await world().call('PUT', '/business/my-profile', { token: reseller.token, body });
  const page = await aVisitor(world()).open(`/p/${reseller.slug}`);
  t.is(page.status, 200);
  t.notRegex(page.text, /<script|<img|onerror="/);
  t.true(wordsOf(page).includes(`Bli medlem hos ${evil}`));
  t.regex(page.text, /<p class="own-words" dir="auto">Ett stycke\.<\/p>/);
  t.is(page.text.match(/<h1/g)?.length, 1);
});

// specification: page-without-an-agreement
test('404: an unknown slug, what can be no slug, and a page whose owner has no agreement or lost it', async (t) => {
  const [reseller, owner] = [await world().reseller(), await world().account()];
  const slug = `utan-${owner.id.slice(0, 8)}`;
  const body = { slug, displayName: 'Utan avtal' };
  t.is((await world().call('PUT', '/business/my-profile', { token: owner.token, body })).status, 200);
  await revokeResellerAgreement({ store: world().store, now: world().now }, reseller.email);
  const visitor = aVisitor(world());
  await visitor.logIn(owner);
  for (const path of [reseller.slug, slug, 'finns-inte', 'a%2Fb', 'ÅÄÖ', '%zz', 'x'.repeat(300)]) {
    const page = await visitor.open(`/p/${path}`);
    t.is(page.status, path === '%zz' ? 400 : 404, path);
    t.is(page.headers.get('content-type'), 'text/html; charset=utf-8', path);
    t.deepEqual(formsOf(page), []);
  }
});

test('an agreement that ends while the page is open: joining is 404, and nobody is a member', async (t) => {
  const [reseller, member] = [await world().reseller(), await world().account()];
  const visitor = aVisitor(world());
  await visitor.logIn(member);
  const page = await visitor.open(`/p/${reseller.slug}`);
  await revokeResellerAgreement({ store: world().store, now: world().now }, reseller.email);
  t.is((await visitor.send(page, 'join')).status, 404);
  t.like(await dealOf(member), { kind: 'consumer_default' });
});

// specification: page-without-an-agreement
test("the reseller's own page offers no button, and a form that is sent nevertheless is 409", async (t) => {
  const [reseller, other] = [await world().reseller(), await world().reseller()];
  const visitor = aVisitor(world());
  await visitor.logIn(reseller);
  const own = await visitor.open(`/p/${reseller.slug}`);
  t.deepEqual(actionsOf(own), ['sign-out']);
  t.true(wordsOf(own).includes('Det här är din egen sida.'));
  const { hidden } = formsOf(own)[0] ?? { hidden: {} };
  t.is((await visitor.post(`/p/${reseller.slug}/join`, { ...hidden, reseller: reseller.id })).status, 409);
  const others = await visitor.open(`/p/${other.slug}`);
  t.deepEqual(actionsOf(others), ['sign-out']);
  t.true(wordsOf(others).includes('Det här kontot är självt återförsäljare'));
  t.is((await visitor.post(`/p/${other.slug}/join`, { ...hidden, reseller: other.id })).status, 409);
  t.like(await dealOf(reseller), { kind: 'reseller_agreement' });
});

// specification: page-without-an-agreement
test('the member of another reseller is told which, can leave it there, and join then', async (t) => {
  const [reseller, other] = [await world().reseller(), await world().reseller()];
  const member = await world().memberOf(other);
  const visitor = aVisitor(world());
  await visitor.logIn(member);
  const page = await visitor.open(`/p/${reseller.slug}`);
  t.deepEqual(actionsOf(page), ['leave', 'sign-out']);
  const { hidden } = formsOf(page)[0] ?? { hidden: {} };
  const refused = await visitor.post(`/p/${reseller.slug}/join`, { ...hidden, reseller: reseller.id });
  t.is(refused.status, 409);
  t.regex(refused.text, /role="alert"/);
  t.deepEqual(actionsOf(refused), ['leave', 'sign-out']);
  const left = await visitor.send(refused, 'leave');
  t.is(left.headers.get('location'), `/p/${reseller.slug}?done=left`);
  const free = await visitor.follow(left);
  t.true(wordsOf(free).includes('Kontot är inte längre medlem hos någon återförsäljare.'));
  await visitor.send(free, 'join');
  t.like(await dealOf(member), { kind: 'sub_account', reseller: { userId: reseller.id } });
});

// specification: leaving-without-script
test('a member leaves on the page without script, which both sides find in their logs', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  const visitor = aVisitor(world());
  await visitor.logIn(member);
  const page = await visitor.open(`/p/${reseller.slug}`);
  t.true(wordsOf(page).includes('Kontot är medlem hos Återförsäljaren AB sedan'));
  t.is((await visitor.send(page, 'leave')).status, 303);
  t.like(await dealOf(member), { kind: 'consumer_default' });
  for (const { token } of [member, reseller]) {
    const log = await world().call('GET', '/partner/audit-log', { token });
    t.true(log.body.entries.some((entry: { kind: string }) => entry.kind === 'member_left'));
  }
});

test('a link can not make the page say that something was done', async (t) => {
  const [reseller, member] = [await world().reseller(), await world().account()];
  const visitor = aVisitor(world());
  for (const done of ['joined', 'left'])
    t.notRegex((await visitor.open(`/p/${reseller.slug}?done=${done}`)).text, /role="status"/);
  await visitor.logIn(member);
  t.notRegex((await visitor.open(`/p/${reseller.slug}?done=joined`)).text, /role="status"/);
});

// specification: what-joining-means-who
test('the commission shown is the one in force', async (t) => {
  const reseller = await world().reseller();
  const grant = { email: reseller.email, slug: reseller.slug, commissionBps: 1_234 };
  await grantResellerAgreement({ store: world().store, now: world().now, newId: () => crypto.randomUUID() }, grant);
  const page = await aVisitor(world()).open(`/p/${reseller.slug}`);
  t.true(wordsOf(page).includes('12,34 % i provision'));
});

test('signing out on the page ends the session, in the dashboard too', async (t) => {
  const [reseller, member] = [await world().reseller(), await world().account()];
  const visitor = aVisitor(world());
  const token = await visitor.logIn(member);
  const out = await visitor.send(await visitor.open(`/p/${reseller.slug}`), 'sign-out');
  t.is(out.status, 303);
  t.deepEqual([visitor.cookies.has('session'), visitor.cookies.has('refresh_token')], [false, false]);
  t.is((await world().call('GET', '/auth/me', { token })).status, 401);
  t.deepEqual(actionsOf(await visitor.follow(out)), ['sign-up', 'sign-in']);
});
