import test, { type ExecutionContext } from 'ava';
import { createMarketplaceLogin } from '../../gateways/marketplace/marketplace-login.ts';
import { MarketplaceError } from '../../gateways/marketplace/port.ts';
import { createRestMarketplace, type RestMarketplace } from '../../gateways/marketplace/rest-marketplace.ts';
import type { OperationName } from '../../gateways/marketplace/v4-operations.ts';
import { bodyOf, startHttp } from '../gateways/support/local-server.ts';
import { aDraft, adUrlTemplate, now, seller, startingAt } from '../gateways/support/marketplace-double.ts';
import { answerOfTable, jsonOf, type Fullness } from './answers-of-table.ts';
import { operationOf, problemsOfAnswer, problemsOfRequest, type SentRequest } from './marketplace-v4.ts';

interface Exchange {
  readonly sent: SentRequest;
  readonly name: OperationName | undefined;
  readonly hasSeller: boolean;
}

/** A marketplace that answers every call as the table says, and keeps what it was asked. */
async function setUp(t: ExecutionContext, { fullness, refuses }: { fullness: Fullness; refuses?: OperationName }) {
  const exchanges: Exchange[] = [];
  const skipped: string[] = [];
  const server = await startHttp((request, response) => {
    const { method = '', url = '', headers } = request;
    const answered = async (): Promise<void> => {
      const bytes = await bodyOf(request);
      const body: unknown = bytes.length > 0 ? JSON.parse(String(bytes)) : undefined;
      const name = operationOf(method, url.replace(/\?.*/, ''));
      exchanges.push({ name, sent: { method, path: url, body }, hasSeller: headers['x-user-id'] !== undefined });
      const isRefused = name === undefined || name === refuses;
      const text = isRefused ? jsonOf(refusal) : jsonOf(answerOfTable(name, fullness));
      response.writeHead(isRefused ? 403 : 200).end(text);
    };
    answered().catch(() => response.destroy());
  });
  const access = { url: server.url, appId: '12', appKey: 'app-key' };
  const marketplace = createRestMarketplace({
    live: access,
    requestTimeoutMs: 5_000,
    adUrlTemplate,
    now: () => now,
    onUnreadableRows: ({ operation }) => void skipped.push(operation),
  });
  const login = createMarketplaceLogin({ access, publicKey: 'public', requestTimeoutMs: 5_000 });
  t.teardown(async () => {
    await Promise.all([marketplace.close(), login.close()]);
    await server.close();
  });
  return { marketplace, login, exchanges, skipped };
}

const refusal = { error: { code: 'Forbidden', message: 'no' } };

const withAll = aDraft({
  reservePriceKronor: 800,
  buyNowPriceKronor: 1_200,
  vatPercent: 25,
  endsAt: new Date('2026-12-01T18:00:00Z'),
  shippingOptions: [
    { providerId: 1, productId: 101, cost: 63 },
    { optionId: 8, cost: 0 },
  ],
});
const withNone = aDraft({ shippingKronor: null, weightKg: null, ownReferences: [] });
const both = { ...startingAt(450), reservePriceKronor: 800, buyNowPriceKronor: 1_200 };

/** Every call of the adapter; those that stand twice send different bodies. */
const calls: readonly [string, (marketplace: RestMarketplace) => Promise<unknown>][] = [
  ['a draft', (marketplace) => marketplace.createDraft(seller, aDraft())],
  ['a draft with all terms', (marketplace) => marketplace.createDraft(seller, withAll)],
  ['a draft without any', (marketplace) => marketplace.createDraft(seller, withNone)],
  ['a picture', (marketplace) => marketplace.addImage(seller, '501', Buffer.from('jpeg'))],
  ['a commit', (marketplace) => marketplace.commit(seller, '501')],
  ['a result', (marketplace) => marketplace.readResult(seller, '501')],
  ['an auction', (marketplace) => marketplace.readAuction(seller, '9001')],
  ['what runs', (marketplace) => marketplace.readRunning(seller, 'feed')],
  ['what ended', (marketplace) => marketplace.readEnded(seller, now)],
  ['sales', (marketplace) => marketplace.readTransactions(seller, now)],
  ['the mark of changes', (marketplace) => marketplace.readChangeMark(seller, '9007199254740993')],
  [
    'a price',
    (marketplace) => marketplace.setPrices(seller, '9001', { wanted: startingAt(500), present: startingAt(450) }),
  ],
  ['all prices', (marketplace) => marketplace.setPrices(seller, '9001', { wanted: both, present: startingAt(450) })],
  ['a take-down', (marketplace) => marketplace.remove(seller, '9001')],
  ['orders', (marketplace) => marketplace.readOrders(seller, now)],
  ['a shipment', (marketplace) => marketplace.markShipped(seller, '7')],
];

for (const fullness of ['full', 'bare', 'empty'] as const)
  test(`the adapter asks as the table says, and reads answers of it that are ${fullness}`, async (t) => {
    const { marketplace, login, exchanges, skipped } = await setUp(t, { fullness });
    for (const [what, call] of calls) await t.notThrowsAsync(call(marketplace), what);
    const token = login.fetchToken('77', 's'.repeat(36));
    // The table allows a null in place of a token, with which nothing could be done.
    if (fullness === 'bare') await t.throwsAsync(token, { message: /has no token/ });
    else await t.notThrowsAsync(token);
    // Of a sale it must be known what was sold.
    t.deepEqual(skipped, fullness === 'bare' ? ['transactions'] : []);
    for (const { sent, name, hasSeller } of exchanges) {
      t.deepEqual(problemsOfRequest(sent), [], `${sent.method} ${sent.path}`);
      t.is(hasSeller, name !== 'fetchToken');
    }
  });

test('the adapter makes every call of the table that it knows, and the answers are of the table', async (t) => {
  const { marketplace, login, exchanges } = await setUp(t, { fullness: 'full', refuses: 'commit' });
  for (const [, call] of calls)
    await call(marketplace).catch((error: unknown) => t.true(error instanceof MarketplaceError));
  await login.fetchToken('77', 's'.repeat(36));
  const asked = new Set(exchanges.flatMap(({ name }) => name ?? []));
  t.deepEqual([...asked].sort(), [
    'addImage',
    'changePrice',
    'changePrices',
    'commit',
    'createItem',
    'endItem',
    'fetchToken',
    'readItem',
    'readMe',
    'readOrders',
    'readResults',
    'readSellerItems',
    'readTime',
    'readTransactions',
    'readUpdatedItems',
    'shipOrder',
  ]);
  for (const name of asked)
    for (const fullness of ['full', 'bare', 'empty'] as const)
      t.deepEqual(problemsOfAnswer(name, { status: 200, text: jsonOf(answerOfTable(name, fullness)) }), [], name);
});
