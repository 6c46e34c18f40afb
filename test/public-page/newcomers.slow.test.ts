import { randomUUID } from 'node:crypto';
import test from 'ava';
import { revokeResellerAgreement } from '../../features/resellers/agreements.ts';
import { startApiWorld, withApiWorld } from '../support/api-world.ts';
import { aVisitor, wordsOf, type Page } from './support/a-visitor.ts';

const world = withApiWorld(test);

const newcomer = () => ({ name: 'Nya Butiken', email: `${randomUUID()}@example.se`, password: 'en lång lösenfras' });

/** The field as it came back: its value, whether it is marked, and what it is described by. */
function fieldOf({ text }: Page, id: string) {
  const [tag = ''] = new RegExp(`<input\\s[^>]*id="${id}"[^>]*>`).exec(text) ?? [];
  const described = /aria-describedby="([^"]+)"/.exec(tag)?.[1]?.split(' ') ?? [];
  return {
    value: /\svalue="([^"]*)"/.exec(tag)?.[1],
    isInvalid: tag.includes('aria-invalid="true"'),
    hasFocus: /\sautofocus\s/.test(tag),
    described: described.map((each) => new RegExp(`id="${each}"[^>]*>([^<]+)<`).exec(text)?.[1] ?? `no ${each}`),
  };
}

// specification: sign-up-on-the
test('a newcomer makes an account and joins in one step, and is signed in to the dashboard too', async (t) => {
  const reseller = await world().reseller();
  const visitor = aVisitor(world());
  const person = newcomer();
  const sent = await visitor.send(await visitor.open(`/p/${reseller.slug}`), 'sign-up', { fields: person });
  t.is(sent.status, 303);
  t.is(sent.headers.get('location'), `/p/${reseller.slug}?done=joined`);
  t.true(wordsOf(await visitor.follow(sent)).includes('Klart! Kontot är nu medlem hos'));
  const headers = { cookie: `refresh_token=${visitor.cookies.get('refresh_token')?.value ?? ''}` };
  const renewed = await world().call('POST', '/auth/refresh', { headers });
  t.is(renewed.status, 200);
  const deal = await world().call('GET', '/business/my-deal', { token: renewed.body.accessToken });
  t.like(deal.body, { kind: 'sub_account', reseller: { userId: reseller.id } });
});

// specification: sign-up-on-the
test('signing in leads back to the page and joins nothing by itself', async (t) => {
  const [reseller, member] = [await world().reseller(), await world().account()];
  const visitor = aVisitor(world());
  const fields = { email: member.email.toUpperCase(), password: member.password };
  const sent = await visitor.send(await visitor.open(`/p/${reseller.slug}`), 'sign-in', { fields });
  t.deepEqual([sent.status, sent.headers.get('location')], [303, `/p/${reseller.slug}`]);
  const deal = await world().call('GET', '/business/my-deal', { token: member.token });
  t.is(deal.body.kind, 'consumer_default');
  t.is((await visitor.send(await visitor.follow(sent), 'join')).status, 303);
});

test('401: a wrong password and an unknown address look the same, the address stays and the password does not', async (t) => {
  const [reseller, member] = [await world().reseller(), await world().account()];
  const visitor = aVisitor(world());
  const page = await visitor.open(`/p/${reseller.slug}`);
  const password = 'något helt annat';
  const wrong = await visitor.send(page, 'sign-in', { fields: { email: member.email, password } });
  const unknown = await visitor.send(page, 'sign-in', { fields: { email: `x${member.email}`, password } });
  t.deepEqual([wrong.status, unknown.status], [401, 401]);
  t.true(wordsOf(wrong).includes('Fel e-postadress eller lösenord.'));
  const own = ({ text }: Page) => text.replaceAll(`x${member.email}`, member.email).replaceAll(/eyJ[\w.-]+/g, '');
  t.is(own(unknown), own(wrong));
  t.is(fieldOf(wrong, 'sign-in-email').value, member.email);
  t.false(wrong.text.includes(password));
  t.is(wrong.headers.get('cache-control'), 'no-store');
});

// specification: sign-up-on-the
test('422: each field says what it wants, tied to it, the first one has the focus, and nothing is made', async (t) => {
  const reseller = await world().reseller();
  const visitor = aVisitor(world());
  const page = await visitor.open(`/p/${reseller.slug}?lang=en`);
  const fields = { name: ' ', email: '"><b>nobody', password: 'short' };
  const refused = await visitor.send(page, 'sign-up', { fields });
  t.is(refused.status, 422);
  t.regex(refused.text, /<title>Error: /);
  t.regex(refused.text, /role="alert"/);
  t.deepEqual(fieldOf(refused, 'sign-up-name'), {
    value: ' ',
    isInvalid: true,
    hasFocus: true,
    described: ['Enter a name on one line, at most 120 characters.', 'Your company, or your own name'],
  });
  t.like(fieldOf(refused, 'sign-up-email'), { value: '&#34;&#62;&#60;b&#62;nobody', hasFocus: false });
  t.like(fieldOf(refused, 'sign-up-password'), { value: undefined, isInvalid: true });
  t.false(fieldOf(refused, 'sign-in-email').isInvalid);
  const email = await visitor.send(refused, 'sign-up', { fields: { ...newcomer(), email: 'nobody' } });
  t.deepEqual(fieldOf(email, 'sign-up-email'), {
    value: 'nobody',
    isInvalid: true,
    hasFocus: true,
    described: ['Enter an email address, such as name@example.se.'],
  });
  const again = await visitor.send(refused, 'sign-up', { fields: newcomer() });
  t.is(again.status, 303);
});

test('422: an empty form, and a password that is too long', async (t) => {
  const reseller = await world().reseller();
  const visitor = aVisitor(world());
  const page = await visitor.open(`/p/${reseller.slug}`);
  for (const form of ['sign-up', 'sign-in']) t.is((await visitor.send(page, form)).status, 422, form);
  const fields = { ...newcomer(), password: 'x'.repeat(129) };
  t.is((await visitor.send(page, 'sign-up', { fields })).status, 422);
});

test('an address that has an account: with its password it is let in and joins, with another one it is 409', async (t) => {
  const [reseller, member] = [await world().reseller(), await world().account()];
  const visitor = aVisitor(world());
  const page = await visitor.open(`/p/${reseller.slug}`);
  const fields = { name: 'Någon', email: member.email, password: 'något helt annat' };
  const refused = await visitor.send(page, 'sign-up', { fields });
  t.is(refused.status, 409);
  t.true(fieldOf(refused, 'sign-up-email').described[0]?.startsWith('Det finns redan ett konto'));
  t.false(visitor.cookies.has('session'));
  const twice = await visitor.send(page, 'sign-up', { fields: { ...fields, password: member.password } });
  t.is(twice.headers.get('location'), `/p/${reseller.slug}?done=joined`);
  const me = await world().call('GET', '/auth/me', { token: member.token });
  t.is(me.body.name, 'Testbolaget AB');
});

test('404: signing up on a page that is not there makes no account', async (t) => {
  const reseller = await world().reseller();
  const visitor = aVisitor(world());
  const page = await visitor.open(`/p/${reseller.slug}`);
  await revokeResellerAgreement({ store: world().store, now: world().now }, reseller.email);
  const person = newcomer();
  t.is((await visitor.send(page, 'sign-up', { fields: person })).status, 404);
  const { name: _name, ...fields } = person;
  t.is((await visitor.send(page, 'sign-in', { fields })).status, 404);
  const login = await world().call('POST', '/auth/login', { body: fields });
  t.is(login.status, 401);
});

// specification: sign-up-on-the
test('signing in and up here counts in the limits of /auth/login and /auth/register: 429 with Retry-After on the page', async (t) => {
  const limited = await startApiWorld({ registers: true, signIn: { loginsPerEmail: 2, registrationsPerAddress: 3 } });
  try {
    const [reseller, member] = [await limited.reseller(), await limited.account()];
    const visitor = aVisitor(limited);
    const page = await visitor.open(`/p/${reseller.slug}`);
    const wrong = { email: member.email, password: 'en felaktig en' };
    t.is((await visitor.send(page, 'sign-in', { fields: wrong })).status, 401);
    t.is((await limited.call('POST', '/auth/login', { body: wrong })).status, 401);
    const refused = await visitor.send(page, 'sign-in', { fields: { ...wrong, password: member.password } });
    t.is(refused.status, 429);
    t.regex(refused.headers.get('retry-after') ?? '', /^\d+$/);
    t.regex(wordsOf(refused), /För många försök\. Vänta \d+ minuter\./);
    t.is((await visitor.send(page, 'sign-up', { fields: newcomer() })).status, 303);
    t.is((await visitor.send(page, 'sign-up', { fields: newcomer() })).status, 429);
  } finally {
    await limited.close();
  }
});

test('a browser that has signed in before has attempts of its own here, too', async (t) => {
  const limited = await startApiWorld({ signIn: { loginsPerEmail: 2 } });
  try {
    const [reseller, member] = [await limited.reseller(), await limited.account()];
    const [owner, stranger] = [aVisitor(limited), aVisitor(limited)];
    const fields = { email: member.email, password: member.password };
    await owner.send(await owner.open(`/p/${reseller.slug}`), 'sign-in', { fields });
    await owner.send(await owner.open(`/p/${reseller.slug}`), 'sign-out');
    const page = await stranger.open(`/p/${reseller.slug}`);
    for (const expected of [401, 429])
      t.is((await stranger.send(page, 'sign-in', { fields: { ...fields, password: 'gissat' } })).status, expected);
    t.is((await owner.send(await owner.open(`/p/${reseller.slug}`), 'sign-in', { fields })).status, 303);
  } finally {
    await limited.close();
  }
});
