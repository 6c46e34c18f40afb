import { randomUUID } from 'node:crypto';
import test from 'ava';
import { revokeResellerAgreement } from '../../features/resellers/agreements.ts';
import { startApiWorld, withApiWorld, type ApiWorld, type TestAccount } from '../support/api-world.ts';
import { aVisitor, formOf, wordsOf, type Page } from './support/a-visitor.ts';

// A page lies open in one tab while things change in another: a form does what its page said, or nothing.

const world = withApiWorld(test);

const dealOf = async ({ token }: Pick<TestAccount, 'token'>) =>
  (await world().call('GET', '/business/my-deal', { token })).body;

const isRefused = (page: Page): boolean =>
  page.status === 409 && wordsOf(page).includes('något har ändrats sedan sidan öppnades');

/** The slug goes from one reseller to the other. */
async function handOver(
  slug: string,
  { from, to, at = world() }: { from: Pick<TestAccount, 'token'>; to: Pick<TestAccount, 'token'>; at?: ApiWorld },
): Promise<void> {
  const rename = ({ token }: Pick<TestAccount, 'token'>, body: { slug: string; displayName: string }) =>
    at.call('PUT', '/business/my-profile', { token, body });
  await rename(from, { slug: `r-${randomUUID().slice(0, 13)}`, displayName: 'Den förra' });
  // As if the 90 days were over for which it is kept for the reseller that had it.
  const ended = { $set: { 'formerSlugs.$[].keptUntil': new Date(0) } };
  await at.store.connection.collection('profiles').updateOne({ 'formerSlugs.slug': slug }, ended);
  await rename(to, { slug, displayName: 'Den nya' });
}

for (const place of ['its own page', 'the page of another reseller'])
  test(`409: leaving on ${place}, after another tab left and joined elsewhere, leaves nobody`, async (t) => {
    const [shown, next, third] = [await world().reseller(), await world().reseller(), await world().reseller()];
    const member = await world().memberOf(shown);
    const visitor = aVisitor(world());
    await visitor.logIn(member);
    const stale = await visitor.open(`/p/${place === 'its own page' ? shown.slug : third.slug}`);
    await visitor.send(await visitor.open(`/p/${shown.slug}`), 'leave');
    await visitor.send(await visitor.open(`/p/${next.slug}`), 'join');
    const refused = await visitor.send(stale, 'leave');
    t.true(isRefused(refused), refused.text);
    t.like(await dealOf(member), { kind: 'sub_account', reseller: { userId: next.id } });
    // The page as it is now: its form is about the present reseller.
    t.is((await visitor.send(refused, 'leave')).status, 303);
    t.like(await dealOf(member), { kind: 'consumer_default' });
  });

test('409: joining under a slug that is another reseller’s by now joins nobody; the page shows the new one', async (t) => {
  const [shown, next, member] = [await world().reseller(), await world().reseller(), await world().account()];
  const visitor = aVisitor(world());
  await visitor.logIn(member);
  const stale = await visitor.open(`/p/${shown.slug}`);
  await handOver(shown.slug, { from: shown, to: next });
  const refused = await visitor.send(stale, 'join');
  t.true(isRefused(refused), refused.text);
  t.true(wordsOf(refused).includes('Bli medlem hos Den nya'));
  t.like(await dealOf(member), { kind: 'consumer_default' });
  t.is((await visitor.send(refused, 'join')).status, 303);
  t.like(await dealOf(member), { reseller: { userId: next.id } });
});

test('409: signing up under a slug that is another reseller’s by now makes no account', async (t) => {
  const [shown, next] = [await world().reseller(), await world().reseller()];
  const visitor = aVisitor(world());
  const stale = await visitor.open(`/p/${shown.slug}`);
  await handOver(shown.slug, { from: shown, to: next });
  const fields = { name: 'Ny', email: `${randomUUID()}@example.se`, password: 'en lång lösenfras' };
  const refused = await visitor.send(stale, 'sign-up', { fields });
  t.true(isRefused(refused), refused.text);
  const { name: _name, ...login } = fields;
  t.is((await world().call('POST', '/auth/login', { body: login })).status, 401);
  t.is((await visitor.send(refused, 'sign-up', { fields })).status, 303);
});

test('a slug that changes hands while somebody signs up: the account is nobody’s member', async (t) => {
  let meanwhile = async (): Promise<void> => undefined;
  const racing = await startApiWorld({
    // By then the form was found to be of the reseller that has the slug.
    replace: ({ passwords }) => ({
      passwords: {
        ...passwords,
        hash: async (...given) => {
          await meanwhile();
          return passwords.hash(...given);
        },
      },
    }),
  });
  try {
    const [shown, next] = [await racing.reseller(), await racing.reseller()];
    const visitor = aVisitor(racing);
    const page = await visitor.open(`/p/${shown.slug}`);
    meanwhile = () => handOver(shown.slug, { from: shown, to: next, at: racing });
    const fields = { name: 'Ny', email: `${randomUUID()}@example.se`, password: 'en lång lösenfras' };
    const sent = await visitor.send(page, 'sign-up', { fields });
    t.deepEqual([sent.status, sent.headers.get('location')], [303, `/p/${shown.slug}`]);
    formOf(await visitor.follow(sent), 'join');
  } finally {
    await racing.close();
  }
});

test('409: a form that does not say which reseller it was shown for', async (t) => {
  const reseller = await world().reseller();
  const [free, member] = [await world().account(), await world().memberOf(reseller)];
  for (const [person, form] of [
    [free, 'join'],
    [member, 'leave'],
  ] as const) {
    const visitor = aVisitor(world());
    await visitor.logIn(person);
    const page = await visitor.open(`/p/${reseller.slug}`);
    const { action, hidden } = formOf(page, form);
    t.is(hidden['reseller'], reseller.id);
    t.true(isRefused(await visitor.post(action, { form_token: hidden['form_token'] ?? '' })), form);
  }
  t.like(await dealOf(free), { kind: 'consumer_default' });
  t.like(await dealOf(member), { kind: 'sub_account' });
});

test('leaving twice, and leaving whom an end of the agreement has freed, changes nothing and says that it is so', async (t) => {
  const reseller = await world().reseller();
  const other = await world().reseller();
  const member = await world().memberOf(reseller);
  const visitor = aVisitor(world());
  await visitor.logIn(member);
  const page = await visitor.open(`/p/${reseller.slug}`);
  for (const _ of [1, 2]) t.is((await visitor.send(page, 'leave')).status, 303);
  await visitor.send(await visitor.open(`/p/${other.slug}`), 'join');
  const elsewhere = await visitor.open(`/p/${reseller.slug}`);
  await revokeResellerAgreement({ store: world().store, now: world().now }, other.email);
  t.is((await visitor.send(elsewhere, 'leave')).status, 303);
  t.like(await dealOf(member), { kind: 'consumer_default' });
});

for (const form of ['sign-in', 'sign-up'])
  test(`${form} from a page that was open before somebody signed in ends that earlier session`, async (t) => {
    const [reseller, one, other] = [await world().reseller(), await world().account(), await world().account()];
    const visitor = aVisitor(world());
    const stale = await visitor.open(`/p/${reseller.slug}`);
    const earlier = await visitor.logIn(one);
    const wrong = { name: 'Ny', email: other.email, password: 'något helt annat' };
    const { name: _name, ...credentials } = wrong;
    const refused = await visitor.send(stale, form, { fields: form === 'sign-in' ? credentials : wrong });
    t.true([401, 409].includes(refused.status));
    t.is((await world().call('GET', '/auth/me', { token: earlier })).status, 200);
    const person = { ...wrong, email: `${randomUUID()}@example.se` };
    const fields = form === 'sign-in' ? { email: other.email, password: other.password } : person;
    t.is((await visitor.send(stale, form, { fields })).status, 303);
    t.is((await world().call('GET', '/auth/me', { token: earlier })).status, 401);
    const log = await world().call('GET', '/partner/audit-log', { token: one.token });
    t.true(log.body.entries.some(({ kind }: { kind: string }) => kind === 'signed_out'));
  });

test('the language that was chosen stays on the error page of a form', async (t) => {
  const [reseller, member] = [await world().reseller(), await world().account()];
  const visitor = aVisitor(world());
  await visitor.logIn(member);
  const page = await visitor.open(`/p/${reseller.slug}?lang=en`, { 'accept-language': 'sv' });
  const foreign = await visitor.send(page, 'join', { headers: { origin: 'https://evil.example' } });
  t.is(foreign.status, 403);
  t.regex(foreign.text, /<html lang="en">/);
  await revokeResellerAgreement({ store: world().store, now: world().now }, reseller.email);
  const gone = await visitor.send(page, 'join');
  t.is(gone.status, 404);
  t.regex(gone.text, /<html lang="en">/);
});
