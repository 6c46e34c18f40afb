import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, endpointId } from '../../features/rules/ids.ts';
import { nextSummaryAt } from '../../features/mail/rules/weekly-summary.ts';
import { createMarketplaceWatch } from '../../features/listings/store/marketplace-watch.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { changeEndpointLife } from '../../features/webhooks/store/webhook-endpoints.ts';
import { withApiWorld, type TestAccount } from '../support/api-world.ts';
import { sendDueMails, tokenIn } from '../support/sent-mails.ts';

const world = withApiWorld(test, { sendsMail: true });
const subjectsTo = async (address: string) =>
  (await sendDueMails(world())).filter(({ to }) => to === address).map(({ subject }) => subject);
const choose = ({ token }: TestAccount, changes: object = {}) => {
  const body = {
    webhookDisabled: true,
    tokenExpired: true,
    sale: false,
    weeklySummary: false,
    language: 'en',
    ...changes,
  };
  return world().call('PUT', '/auth/notices', { token, body });
};

/** An account whose address is confirmed. */
async function aReader(): Promise<TestAccount> {
  const account = await world().account();
  const mail = (await sendDueMails(world())).findLast(({ to }) => to === account.email);
  const confirmed = await world().call('POST', '/auth/email/confirm', { body: { token: tokenIn(mail) } });
  if (confirmed.status !== 200) throw new Error(confirmed.text);
  return account;
}

async function disableWebhook({ token }: TestAccount): Promise<void> {
  const body = { url: 'https://erp.example.se/hooks', eventTypes: ['item.sold'] };
  const made = await world().call('POST', '/integration/webhooks', { token, body });
  const id = endpointId(made.body.webhook?.id ?? made.body.id);
  const { store, now } = world();
  const disabledAt = now();
  await inTransaction(store, (session) =>
    changeEndpointLife(store, id, {
      next: (life) => ({ ...life, active: false, disabledAt, disabledReason: 'too many failures' }),
      session,
    }),
  );
}

async function expireToken({ id, token }: TestAccount): Promise<void> {
  const body = { marketplaceUserId: '4711', token: randomUUID() };
  await world().call('PUT', '/partner/marketplace-connection', { token, body });
  const rows = world().store.connection.collection<{ _id: string; tokenEncrypted: string }>('marketplace_connections');
  const encrypted = (await rows.findOne({ _id: id }))?.tokenEncrypted ?? '';
  const watch = createMarketplaceWatch(world().store);
  for (let n = 0; n < 2; n += 1) await watch.markExpired(accountId(id), encrypted, world().now());
}

/** Returns the id of the order. */
async function sell(account: TestAccount, externalId: string): Promise<string> {
  const { apiKey, token } = account;
  const item = { title: 'Strålkastare', price: 450, imageUrls: [] };
  await world().call('PUT', `/integration/v1/items/${externalId}`, { apiKey, body: item });
  const sale = { externalId, platform: 'service_card', amount: 349.5 };
  const sold = await world().call('POST', '/partner/orders', { token, body: sale });
  if (sold.status !== 201) throw new Error(sold.text);
  return sold.body.id;
}

test.serial('a webhook that is disabled and a token that expires are told once, unless switched off', async (t) => {
  const [asked, silent] = [await aReader(), await aReader()];
  t.is((await choose(silent, { webhookDisabled: false, tokenExpired: false })).status, 200);
  for (const account of [asked, silent]) {
    await disableWebhook(account);
    await expireToken(account);
  }
  const sent = await sendDueMails(world());
  t.deepEqual(
    sent
      .filter(({ to }) => to === asked.email)
      .map(({ subject }) => subject)
      .toSorted(),
    ['Anslutningen till marknadsplatsen har gått ut', 'En webhook har stängts av'],
  );
  t.false(sent.some(({ to }) => to === silent.email));
  t.deepEqual(await subjectsTo(asked.email), []);
});

test.serial('a sale is told once to who wants it, in the language that was chosen', async (t) => {
  const [wanting, other] = [await aReader(), await aReader()];
  t.like((await choose(wanting, { sale: true })).body, { sale: true, language: 'en', isAvailable: true });
  for (const account of [wanting, other]) await sell(account, 'A1');
  const sent = await sendDueMails(world());
  const [mail, ...more] = sent.filter(({ to }) => to === wanting.email);
  t.deepEqual([mail?.subject, more], ['Sold: A1', []]);
  t.regex(mail?.text ?? '', /SEK\s349\.50[\s\S]*\/dashboard\/items\/A1/);
  t.false(sent.some(({ to }) => to === other.email));
});

test.serial('what is no notice is not stored', async (t) => {
  const account = await aReader();
  const chosen = { webhookDisabled: true, tokenExpired: true, sale: false, weeklySummary: false, language: 'en' };
  const reply = await choose(account, { 'a\0b': true, extra: { $set: 1 } });
  t.deepEqual([reply.status, reply.body], [200, { ...chosen, isAvailable: true }]);
});

test.serial('an address that is not confirmed gets no notice', async (t) => {
  const account = await world().account();
  await sendDueMails(world());
  t.false((await world().call('GET', '/auth/notices', { token: account.token })).body.isAvailable);
  await disableWebhook(account);
  t.deepEqual(await subjectsTo(account.email), []);
});

test.serial(
  'a summary of the week goes out each Monday morning, as long as it is wanted and has something to tell',
  async (t) => {
    const account = await aReader();
    const quiet = await aReader();
    await choose(account, { weeklySummary: true });
    await choose(account, { weeklySummary: true });
    await choose(quiet, { weeklySummary: true });
    const orderId = await sell(account, 'B1');
    await world().call('PATCH', `/partner/orders/${orderId}`, { token: account.token, body: { status: 'paid' } });
    const { store, context, now } = world();
    const atMonday = async (at: Date) =>
      (await sendDueMails({ store, context, now: () => at })).filter(({ subject }) => subject.startsWith('Your week'));

    const [first, second] = [nextSummaryAt(now()), nextSummaryAt(nextSummaryAt(now()))];
    t.deepEqual(await atMonday(new Date(first.getTime() - 1)), []);
    const [mail, ...more] = await atMonday(first);
    t.deepEqual([mail?.to, mail?.subject, more], [account.email, 'Your week: 1 order, SEK\u00A0349.50', []]);
    t.regex(mail?.text ?? '', /Sold: 1 order[\s\S]*To be shipped: 1 paid order[\s\S]*\/dashboard\n/);
    t.deepEqual(await atMonday(first), []);

    t.deepEqual((await atMonday(second)).length, 1);
    await choose(account, { weeklySummary: false });
    t.deepEqual(await atMonday(nextSummaryAt(second)), []);
  },
);
