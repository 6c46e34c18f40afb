import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import test, { type ExecutionContext } from 'ava';
import { programArguments } from '../../../embedded/program-arguments.ts';
import { ListingBook } from '../../../simulators/marketplace/listing-book.ts';
import { parseListing } from '../../../simulators/marketplace/listing-input.ts';
import { commitRequest, createDraft } from '../../../simulators/marketplace/publishing.ts';
import { readSellerItems } from '../../../simulators/marketplace/seller-reads.ts';
import { startMarketplaceSimulator } from '../../../simulators/marketplace/start-marketplace-simulator.ts';
import { call } from '../../simulators/support/call.ts';
import { aListing, aSeller, errorCode, jpeg, png, type TestSeller } from '../../simulators/support/seller.ts';
import { present } from '../../support/clock.ts';

async function seller(t: ExecutionContext, options: Parameters<typeof aSeller>[0] = {}): Promise<TestSeller> {
  const created = await aSeller(options);
  t.teardown(() => created.simulator.close());
  return created;
}

function folder(t: ExecutionContext): string {
  const path = mkdtempSync(join(tmpdir(), 'marketplace-'));
  t.teardown(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('a listing goes live by draft, images, commit and, after a while, a result', async (t) => {
  const { draft, addImage, commit, results, settle, listings } = await seller(t);
  const { requestId, itemId } = await draft();
  t.is((await addImage(requestId)).status, 204);
  t.is((await addImage(requestId, png, 2)).status, 204);
  t.is((await commit(requestId)).status, 202);
  t.deepEqual(await results(requestId), [], 'there is no row at all until there is a result');
  t.is((await listings())[0]?.state, 'waiting');
  await settle();
  t.deepEqual(await results(requestId), [{ requestId, resultCode: 1, message: 'Ok' }]);
  const [listing] = await listings('?state=active&ownReference=item-1:1');
  t.like(listing, { itemId, state: 'active', imageCount: 2, bidCount: 0, userId: '77' });
});

test('every create makes another draft, as the real one does', async (t) => {
  const { draft, listings } = await seller(t);
  const [one, two] = [await draft(), await draft()];
  t.not(one.itemId, two.itemId);
  t.not(one.requestId, two.requestId);
  t.is((await listings('?ownReference=A1')).length, 2);
});

for (const [what, changes] of Object.entries({
  'a price with öre': { startPrice: 10.5 },
  'a title over 255 characters': { title: 'x'.repeat(256) },
  'an unknown category': { categoryId: 1 },
  'own references that are no texts': { ownReferences: [1] },
  'shipping at a broken price': { shippingOptions: [{ shippingOptionId: 1, cost: 0.5 }] },
  'no accepted bidder': { acceptedBidderId: null },
}))
  test(`400 for ${what}`, async (t) => {
    const { wire, listings } = await seller(t);
    const answer = await wire('POST', '/v4/listings/items', aListing(changes));
    t.is(answer.status, 400);
    t.is(errorCode(answer), 'InvalidRequest');
    t.deepEqual(await listings(), []);
  });

test('an image must be what its format says', async (t) => {
  const { draft, addImage, listings } = await seller(t);
  const { requestId } = await draft();
  t.is((await addImage(requestId, jpeg, 2)).status, 400);
  t.is((await addImage(requestId, Buffer.from('<html>'))).status, 400);
  t.is((await addImage(requestId, Buffer.alloc(4 * 1024 * 1024 + 1, 0xff))).status, 400);
  t.is((await listings())[0]?.imageCount, 0);
});

test('after the commit neither images nor a second commit are taken', async (t) => {
  const { draft, addImage, commit, settle } = await seller(t);
  const { requestId } = await draft();
  await commit(requestId);
  for (const answer of [await commit(requestId), await addImage(requestId)]) {
    t.is(answer.status, 409);
    t.is(errorCode(answer), 'AlreadyCommitted');
  }
  await settle();
  t.is((await commit(requestId)).status, 409, 'nor after Ok');
});

test('a request says Uncommited once it is older than a second, and another seller never sees it', async (t) => {
  const { draft, results, advance, useHeaders, admin, commit } = await seller(t);
  const { requestId } = await draft();
  await advance(2);
  t.is((await results(requestId))[0]?.resultCode, 256);
  const { token } = (await admin('POST', '/users', { userId: 88 })).json<{ token: string }>();
  useHeaders({ 'x-user-id': '88', 'x-user-token': token });
  t.deepEqual(await results(requestId), []);
  t.is((await commit(requestId)).status, 404);
});

test('scripted results come before Ok, and TryAgain lets the same request be committed again', async (t) => {
  const { draft, admin, commit, results, settle, listings } = await seller(t);
  await admin('POST', '/results', { ownReference: 'A1', codes: ['TryAgain', 'ImageProcessingError'], times: 2 });
  const { requestId } = await draft();
  for (const code of [18, 18, 1]) {
    t.is((await commit(requestId)).status, 202);
    t.deepEqual(await results(requestId), [], 'a new commit takes the old row away');
    await settle();
    t.is((await results(requestId))[0]?.resultCode, code);
  }
  t.deepEqual(
    (await listings()).map(({ state }) => state),
    ['active'],
  );
});

test('a refused listing stays down and cannot be committed again', async (t) => {
  const { draft, admin, commit, results, settle, listings } = await seller(t);
  await admin('POST', '/results', { ownReference: 'A1', codes: ['Error'] });
  const { requestId } = await draft();
  await commit(requestId);
  await settle();
  t.is((await results(requestId))[0]?.resultCode, 4);
  t.is((await commit(requestId)).status, 409);
  t.is((await listings())[0]?.state, 'uncommitted');
});

test('wrong application, unknown token and expired token are told apart', async (t) => {
  const { wire, useHeaders, admin, reconnect, application } = await seller(t);
  const path = '/v4/listings/seller-items';
  useHeaders({ 'x-app-key': 'wrong' });
  t.is(errorCode(await wire('GET', path)), 'InvalidApplication');
  useHeaders({ ...application, 'x-user-token': 'wrong' });
  t.is(errorCode(await wire('GET', path)), 'InvalidToken');
  await reconnect();
  t.is((await wire('GET', path)).status, 200);
  t.is((await admin('POST', '/users/77/expire-token')).status, 204);
  const expired = await wire('GET', path);
  t.is(expired.status, 401);
  t.is(errorCode(expired), 'TokenExpired');
  await reconnect();
  t.is((await wire('GET', path)).status, 200);
});

test('a secret key from the login page buys a token once', async (t) => {
  const { simulator, wire, application } = await seller(t);
  const secretKey = 'k'.repeat(32);
  const login = await call(
    'GET',
    `${simulator.url}/token-login?appId=${application['x-app-id']}&pkey=${secretKey}&userId=99`,
  );
  t.is(login.status, 200);
  const trade = () => wire('POST', '/v4/auth/token', { userId: 99, secretKey });
  const { authToken, hardExpirationTime } = (await trade()).json<{ authToken: string; hardExpirationTime: string }>();
  t.true(Date.parse(hardExpirationTime) > present().getTime());
  const mine = { ...application, 'x-user-id': '99', 'x-user-token': authToken };
  t.is((await call('GET', `${simulator.url}/v4/listings/seller-items`, { headers: mine })).status, 200);
  t.is(errorCode(await trade()), 'InvalidSecretKey');
});

test('the call budget counts per method and is free again after midnight', async (t) => {
  const { wire, admin, advance } = await seller(t);
  await admin('POST', '/budget', { callsPerDay: 2 });
  const read = () => wire('GET', '/v4/listings/seller-items');
  t.deepEqual([(await read()).status, (await read()).status], [200, 200]);
  const refused = await read();
  t.is(refused.status, 429);
  t.is(errorCode(refused), 'CallLimitExceeded');
  const waitSeconds = Number(refused.headers['retry-after']);
  t.true(waitSeconds > 0 && waitSeconds <= 24 * 3600);
  t.is((await wire('POST', '/v4/listings/items', aListing())).status, 200, 'another method has its own budget');
  await advance(waitSeconds + 1);
  t.is((await read()).status, 200);
});

test('an auction with a bid is sold at its end, with a transaction over the highest bid', async (t) => {
  const { live, bid, admin, wire, simulator } = await seller(t);
  const { itemId } = await live();
  t.is((await bid(itemId, 399)).status, 400);
  t.is((await bid(itemId, 400)).status, 201);
  t.is((await bid(itemId, 400)).status, 400);
  t.is((await bid(itemId, 500)).status, 201);
  const ended = (await admin('POST', `/listings/${itemId}/end`)).json();
  t.is(ended['state'], 'sold');
  const { transactions } = (await wire('GET', '/v4/orders/seller-transactions?since=2020-01-01T00:00:00Z')).json<{
    transactions: unknown[];
  }>();
  t.like(transactions[0], { itemId, amount: 500, isPaid: false });
  t.is(transactions.length, 1);
  t.is((await admin('POST', `/listings/${itemId}/end`)).status, 409);
  t.regex((await call('GET', `${simulator.url}/item/${itemId}`)).text, /Strålkastare vänster[^]*500 kr/);
});

test('auctions end by themselves when the clock passes their end', async (t) => {
  const { live, bid, advance, listings } = await seller(t);
  const [unsold, sold] = [await live(), await live({ duration: 3 })];
  await bid(sold.itemId, 450);
  await advance(3 * 24 * 3600);
  t.deepEqual(
    (await listings()).map(({ state }) => state),
    ['active', 'sold'],
  );
  await advance(4 * 24 * 3600);
  t.is((await listings()).find(({ itemId }) => itemId === unsold.itemId)?.state, 'ended');
});

test('the feed of updates is oldest first, from the given time on, and shows no drafts', async (t) => {
  const { draft, live, bid, advance, admin, wire } = await seller(t);
  await draft();
  const [one, two] = [await live(), await live()];
  await bid(one.itemId, 400);
  const read = async (since: string) =>
    (await wire('GET', `/v4/listings/updated-seller-items?since=${since}`)).json<{
      items: { itemId: number; updatedDate: string; state: string }[];
    }>().items;
  t.deepEqual(
    (await read('2020-01-01T00:00:00Z')).map(({ itemId }) => itemId),
    [two.itemId, one.itemId],
  );
  await advance(5);
  await admin('POST', `/listings/${two.itemId}/end`);
  const all = await read('2020-01-01T00:00:00Z');
  t.deepEqual(
    all.map(({ itemId, state }) => [itemId, state]),
    [
      [one.itemId, 'Active'],
      [two.itemId, 'Ended'],
    ],
  );
  t.deepEqual(
    (await read(all[1]?.updatedDate ?? '')).map(({ itemId }) => itemId),
    [two.itemId],
  );
});

test('seller items are found by own reference, drafts excluded, with the address of their page', async (t) => {
  const { draft, live, wire, simulator } = await seller(t);
  await draft();
  const { itemId, requestId } = await live();
  await live({ ownReferences: ['B2'] });
  const read = async (query: string) =>
    (await wire('GET', `/v4/listings/seller-items?${query}`)).json<{
      items: { itemId: number }[];
      totalPages: number;
    }>();
  const found = await read('ownReference=item-1%3A1&filterActive=All&page=1');
  t.is(found.items.length, 1);
  t.is(found.totalPages, 1);
  t.like(found.items[0], { itemId, requestId, state: 'Active', itemUrl: `${simulator.url}/item/${itemId}` });
  t.is((await read('filterActive=Active')).items.length, 2);
  t.is((await read('filterActive=Inactive')).items.length, 0);
});

test('listings, bids, tokens, scripted results and the moved clock survive a restart', async (t) => {
  const dataDir = folder(t);
  const first = await aSeller({ dataDir });
  const { itemId, requestId } = await first.live();
  await first.bid(itemId, 420);
  await first.advance(3600);
  await first.admin('POST', '/results', { ownReference: 'B2', codes: ['Error'] });
  const before = await first.listings();
  const pending = await first.draft({ ownReferences: ['B2'] });
  await first.addImage(pending.requestId);
  await first.commit(pending.requestId);
  await first.simulator.close();

  const second = await seller(t, { dataDir });
  const [kept] = await second.listings(`?ownReference=A1`);
  t.like(kept, { itemId, requestId, state: 'active', bids: [{ amount: 420 }], endsAt: before[0]?.endsAt ?? null });
  await second.settle();
  t.is((await second.results(pending.requestId))[0]?.resultCode, 4);
  t.is((await second.admin('GET', '/clock')).json()['advancedSeconds'], 4800);
  t.true((await second.draft()).itemId > pending.itemId);
});

test('what was answered survives a kill of the process', async (t) => {
  const dataDir = folder(t);
  const config = { marketplace: { dataDir }, webhookReceiver: { port: 0 } };
  const child = spawn(
    process.execPath,
    [...programArguments('bin/simulators.ts'), '--config', JSON.stringify(config)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  t.teardown(() => child.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { ready } = JSON.parse(line) as { ready: { marketplace: { adminUrl: string } } };
  const users = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      call('POST', `${ready.marketplace.adminUrl}/users`, { body: { userId: index } }),
    ),
  );
  child.kill('SIGKILL');
  await once(child, 'exit');
  const again = await startMarketplaceSimulator({ dataDir });
  t.teardown(() => again.close());
  for (const [index, before] of users.entries())
    t.is((await call('POST', `${again.adminUrl}/users`, { body: { userId: index } })).text, before.text);
});

test('looking for an own reference among twenty thousand listings searches nothing', (t) => {
  const book = new ListingBook(() => undefined);
  const call = { userId: '77', now: 1, processingDelayMs: 0 };
  const fields = parseListing(aListing(), present().getTime());
  for (let index = 0; index < 20_000; index += 1) {
    const { requestId } = createDraft(book, call, { ...fields, ownReferences: [`N${index}`] });
    commitRequest(book, call, requestId);
  }
  const query = { filter: 'All', page: 1, siteUrl: '' } as const;
  const started = performance.now();
  for (let index = 0; index < 5000; index += 1) readSellerItems(book, '77', { ...query, ownReference: `N${index}` });
  const tookMs = performance.now() - started;
  t.true(tookMs < 2000, `5,000 lookups took ${tookMs} ms`);
});

test('admin routes say what is wrong with a body', async (t) => {
  const { admin } = await seller(t);
  for (const [path, body, words] of [
    ['/results', { ownReference: 'A', codes: ['Nope'] }, /codes must be/],
    ['/users', {}, /userId must be/],
    ['/budget', { callsPerDay: 'many' }, /callsPerDay must be a whole number/],
    ['/clock', { advanceSeconds: -1 }, /advanceSeconds must be/],
  ] as const) {
    const answer = await admin('POST', path, body);
    t.is(answer.status, 400);
    t.regex(answer.text, words);
  }
});
