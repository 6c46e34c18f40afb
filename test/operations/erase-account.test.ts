import { randomUUID } from 'node:crypto';
import test from 'ava';
import { setSuspension } from '../../features/accounts/administer-account.ts';
import { eraseAccount, planErasure } from '../../features/operations/erase-account.ts';
import { exportAccount } from '../../features/operations/export-account.ts';
import { queueOfAddress } from '../../features/mail/account-mail.ts';
import { Refusal } from '../../features/rules/errors.ts';
import { furnish } from '../../verification/isolation/support/furnish.ts';
import { aPerson, join, signIn } from '../../verification/isolation/support/people.ts';
import { canary, tracesIn } from '../../verification/isolation/support/traces.ts';
import { aLeaver, endEverything, everyRow, receiverUrl, withLeaverWorld, type Leaver } from './support/a-leaver.ts';

const world = withLeaverWorld(test);

const operator = 'Kim Operatör';
const operations = () => ({
  store: world().store,
  imageStore: world().imageStore,
  engine: { deleteRuns: () => Promise.resolve(0) },
  now: world().now,
  settle: () => Promise.resolve(),
  operator,
});

/** What names the account: a row with one of these is its own, or tells of it. */
async function namesOf({ id, email, sandboxId }: Leaver): Promise<readonly string[]> {
  const sent = await world().store.connection.collection('bulk_syncs').distinct('uploadId', { actingAccountId: id });
  return [id, email, sandboxId, queueOfAddress(email), ...sent.map(String)];
}

/** Identifiers that stay with an order for the books. */
const idsOfOrders = (rows: ReadonlyMap<string, string>): readonly string[] =>
  [...rows].flatMap(([place, text]) => {
    if (!place.startsWith('orders ')) return [];
    const { _id, itemId, adId, dealId } = JSON.parse(text) as Record<string, string | null>;
    return [_id, itemId, adId, dealId].flatMap((id) => [...tracesIn(id ?? '')]);
  });

/** Ciphertexts and hashes of secrets at the top of an account's rows. */
function secretsIn(rows: readonly string[], account: string): ReadonlySet<string> {
  const own = rows.map((row) => JSON.parse(row) as Record<string, unknown>);
  const fields = own
    .filter(({ accountId, _id }) => accountId === account || _id === account)
    .flatMap((row) => Object.entries(row));
  const isSecret = (name: string): boolean => /Encrypted$|^(hash|passwordHash|handleHash|secretHash)$/.test(name);
  return new Set(fields.flatMap(([name, value]) => (isSecret(name) && typeof value === 'string' ? [value] : [])));
}

test.serial(
  'an erasure refuses while auctions are up, orders are open, a checkout may be paid; and says how to end each',
  async (t) => {
    const account = await aLeaver(world());
    const before = await everyRow(world());
    const { blockers, rows } = await eraseAccount(operations(), account.email.toUpperCase());
    t.deepEqual(
      blockers.map(({ what }) => what),
      [
        '1 auction up, or about to be',
        '2 orders unpaid or undelivered',
        'lines of a bulk sync that wait to be applied',
        'a checkout that may still be paid',
      ],
    );
    t.true(blockers.every(({ howToEnd }) => howToEnd.length > 20));
    t.true((rows['items'] ?? 0) > 5);
    t.deepEqual(await everyRow(world()), before);
    await endEverything(world(), account);
    t.deepEqual((await planErasure(operations(), account.email)).blockers, []);
    const { email } = account.reseller;
    t.regex((await planErasure(operations(), email)).blockers[0]?.what ?? '', /^a reseller agreement with 1 member$/);
  },
);

const refuses = async (account: Leaver): Promise<string | undefined> =>
  (await planErasure(operations(), account.email)).blockers[0]?.what;

test.serial('it refuses for each thing that would be lost, and goes on once that has ended', async (t) => {
  const account = await aLeaver(world());
  await endEverything(world(), account);
  const rows = (name: string) => world().store.connection.collection<{ _id: string }>(name);
  const item = { accountId: account.id, 'listings.state': 'failed' };
  for (const state of ['drafting', 'prepared', 'committing']) {
    await rows('items').updateOne(item, { $set: { 'listings.0.state': state } });
    t.is(await refuses(account), '1 auction up, or about to be', state);
    await rows('items').updateOne({ ...item, 'listings.state': state }, { $set: { 'listings.0.state': 'failed' } });
  }
  await rows('items').updateOne(item, { $inc: { wantedPublication: 1 } });
  t.is(await refuses(account), '1 auction up, or about to be', 'a wish');
  await rows('items').updateOne(item, { $inc: { wantedPublication: -1 } });
  // Free while its subscription is unpaid.
  await rows('subscriptions').updateOne({ _id: account.id }, { $set: { checkAt: world().now() } });
  t.is(await refuses(account), 'a subscription');
  await rows('subscriptions').updateOne({ _id: account.id }, { $unset: { checkAt: 1 } });
  const sent = { accountId: account.id, state: 'completed' };
  const owed = { isShippingOwed: true, marketplaceOrderId: 'M1' };
  await rows('orders').updateOne(sent, { $set: owed });
  t.regex((await refuses(account)) ?? '', /^1 order of which the marketplace/);
  await rows('orders').updateOne(sent, { $set: { isShippingOwed: false } });
  t.is(await refuses(account), undefined);
});

test.serial('what begins while it waits stops it before anything is deleted, and it says so', async (t) => {
  const account = await aLeaver(world());
  await endEverything(world(), account);
  const items = world().store.connection.collection('items');
  const item = { accountId: account.id, 'listings.state': 'failed' };
  const before = (await everyRow(world())).size;
  const settle = async () => {
    await items.updateOne(item, { $set: { 'listings.0.state': 'committing', hasListingUp: true } });
  };
  const plan = await eraseAccount({ ...operations(), settle }, account.email);
  t.is(plan.blockers[0]?.what, '1 auction up, or about to be');
  t.true(plan.isSuspended);
  const connections = world().store.connection.collection<{ _id: string }>('marketplace_connections');
  t.truthy(await connections.findOne({ _id: account.id }));
  t.true((await everyRow(world())).size > before - 10);
});

test.serial('an auction that goes up between the look and the deletions keeps its connection', async (t) => {
  const account = await aLeaver(world());
  await endEverything(world(), account);
  const rows = (name: string) => world().store.connection.collection<{ _id: string }>(name);
  const item = { accountId: account.id, 'listings.state': 'failed' };
  const deleteRuns = async () => {
    const up = { 'listings.0.state': 'committing', hasListingUp: true };
    await rows('items').updateOne(item, { $set: up });
    return 0;
  };
  const plan = await eraseAccount({ ...operations(), engine: { deleteRuns } }, account.email);
  t.is(plan.blockers[0]?.what, '1 auction up, or about to be');
  t.truthy(await rows('marketplace_connections').findOne({ _id: account.id }));
  t.is(await rows('items').countDocuments({ accountId: account.id }), 1);
});

test.serial('what is stored while it waits is found, also by a call that goes on with a broken-off one', async (t) => {
  const account = await aLeaver(world());
  await endEverything(world(), account);
  const died = () => Promise.reject(new Error('died'));
  let waits = 0;
  const events = world().store.connection.collection<{ _id: string; accountId: string }>('events');
  const settle = async () => {
    waits += 1;
    if (waits === 1) await events.insertOne({ _id: canary(), accountId: account.id });
  };
  await t.throwsAsync(eraseAccount({ ...operations(), settle: died }, account.email), { message: 'died' });
  await eraseAccount({ ...operations(), settle }, account.email);
  t.is(waits, 2);
  t.is(await events.countDocuments({ accountId: account.id }), 0);
});

test.serial('an erasure is of the account that had the address when it was asked for', async (t) => {
  const account = await aLeaver(world());
  await endEverything(world(), account);
  const accounts = world().store.connection.collection<{ _id: string }>('accounts');
  const settle = async () => {
    await accounts.updateOne({ _id: account.id }, { $set: { email: `${canary()}@example.se` } });
  };
  await t.throwsAsync(eraseAccount({ ...operations(), settle }, account.email), { message: /another address/ });
  t.truthy(await accounts.findOne({ _id: account.id }));
});

test.serial(
  'lines that its reseller still sends are not its own: others’ errors are not exported and stay',
  async (t) => {
    const account = await aLeaver(world());
    await endEverything(world(), account);
    const uploadId = randomUUID();
    const rows = (name: string) => world().store.connection.collection<{ _id: string }>(name);
    const chunk = { uploadId, accountId: account.id, number: 1, kind: 'lines', lines: [], isOpen: true };
    await rows('bulk_chunks').insertOne({ _id: `${uploadId}:${account.id}:1`, ...chunk });
    const error = { _id: `${uploadId}:000000001`, error: { message: canary() } };
    await rows('bulk_errors').insertOne(error);
    for await (const { name, content } of exportAccount(operations(), account.email))
      for await (const piece of content) t.false(String(piece).includes(error.error.message), name);
    t.deepEqual((await eraseAccount(operations(), account.email)).blockers, []);
    t.is(await rows('bulk_errors').countDocuments({ _id: error._id }), 1);
    t.is(await rows('bulk_chunks').countDocuments({ uploadId }), 0);
  },
);

test.serial(
  'former addresses go too, an invitation that another account has used stays without its address',
  async (t) => {
    const account = await aLeaver(world());
    await endEverything(world(), account);
    const rows = (name: string) => world().store.connection.collection<{ _id: string }>(name);
    const former = `${canary()}@example.se`;
    const [change, open, used, answer] = [canary(), canary(), canary(), canary()];
    const changed = { accountId: account.id, kind: 'email_changed', details: { email: account.email, former } };
    await rows('audit').insertOne({ _id: change, ...changed, actor: { kind: 'session' }, at: world().now() } as never);
    const told = { externalId: null, tokenHashes: [], joinedAt: null };
    const [toFormer, byAnother] = [
      { _id: open, resellerAccountId: canary(), email: former, joinedAccountId: null, ...told },
      { _id: used, resellerAccountId: canary(), email: account.email, joinedAccountId: canary(), ...told },
    ];
    await rows('member_invitations').insertMany([toFormer, byAnother] as never);
    await rows('ai_answers').insertOne({ _id: answer, answerJson: '{}' } as never);
    const many = Array.from({ length: 401 }, () => ({
      _id: canary(),
      actingAccountId: account.id,
      uploadId: canary(),
    }));
    await rows('bulk_syncs').insertMany(many);
    const errors = many.map(({ uploadId }) => ({ _id: `${uploadId}:000000001`, error: {} }));
    await rows('bulk_errors').insertMany(errors);
    t.deepEqual((await eraseAccount(operations(), account.email)).blockers, []);
    const after = [...(await everyRow(world()))];
    for (const address of [former, account.email])
      t.deepEqual(
        after.filter(([, text]) => text.includes(address)),
        [],
      );
    t.like(await rows('member_invitations').findOne({ _id: used }), { ...byAnother, email: `erased ${used}` });
    t.is(await rows('ai_answers').findOne({ _id: answer }), null);
    t.is(await rows('bulk_errors').countDocuments({ _id: { $in: errors.map(({ _id }) => _id) } }), 0);
  },
);

test.serial('a call in a shell with another image store does not go on; one after the last picture does', async (t) => {
  const account = await aLeaver(world());
  await endEverything(world(), account);
  const { imageStore } = world();
  const died = () => Promise.reject(new Error('died'));
  await t.throwsAsync(eraseAccount({ ...operations(), imageStore: { ...imageStore, remove: died } }, account.email), {
    message: 'died',
  });
  const elsewhere = { ...imageStore, list: () => noKeys() };
  await t.throwsAsync(eraseAccount({ ...operations(), imageStore: elsewhere }, account.email), {
    message: /IMAGE_STORE/,
  });
  await imageStore.put(`${account.reseller.id}/${'0'.repeat(64)}/thumb.jpg`, Buffer.from('of another account'));
  for await (const key of imageStore.list(account.id)) await imageStore.remove(key);
  t.deepEqual((await eraseAccount(operations(), account.email)).blockers, []);
});

// eslint-disable-next-line require-yield -- a store without pictures
async function* noKeys(): AsyncGenerator<string> {
  await Promise.resolve();
}

test.serial(
  'after an erasure no row has a text, an address or a name of the account; a neighbour’s rows are as they were',
  async (t) => {
    const account = await aLeaver(world());
    const neighbour = await aPerson(world());
    await join(world(), account.reseller, neighbour);
    await furnish(world(), neighbour, { receiverUrl });
    await endEverything(world(), account);
    const [before, names] = [await everyRow(world()), await namesOf(account)];
    const isAbout = (text: string): boolean => names.some((name) => text.includes(name));
    const others = new Map([...before].filter(([, text]) => !isAbout(text)));
    t.true([...others.values()].filter((text) => text.includes(neighbour.id)).length > 50);
    const known = new Set([...others.values()].flatMap((text) => [...tracesIn(text)]));
    const told = [...before.values()].filter(isAbout).flatMap((text) => [...tracesIn(text)]);
    const spared = new Set([...known, ...idsOfOrders(before), account.id, account.reference]);
    // Texts and hashes: UUIDs may stay in what others have.
    const words = new Set(told.filter((trace) => !trace.includes('-') && !spared.has(trace)));
    t.true(words.size > 100);

    t.deepEqual((await eraseAccount(operations(), account.email)).blockers, []);
    const after = await everyRow(world());
    // Numbers of calls by a hash of the address, which forget by themselves.
    for (const [place, text] of [...after].filter(([name]) => !name.startsWith('rate_buckets ')))
      t.deepEqual(
        [...tracesIn(text)].filter((trace) => words.has(trace)),
        [],
        `${place}: ${text}`,
      );
    for (const name of [account.email, account.sandboxId])
      t.deepEqual(
        [...after].filter(([, text]) => text.includes(name)),
        [],
      );
    const changed = [...others].filter(([place, text]) => after.get(place) !== text);
    t.deepEqual(changed, []);
    const left = [...after].filter(([, text]) => text.includes(account.id)).map(([place]) => place.split(' ')[0]);
    t.deepEqual([...new Set(left)].toSorted(), ['audit', 'deals', 'marketplace_call_counts', 'orders']);
    for await (const key of world().imageStore.list(account.id)) t.fail(key);
    await t.throwsAsync(planErasure(operations(), account.email), { instanceOf: Refusal });
  },
);

test.serial(
  'the orders of an erased account keep sums, numbers and times alone, and its log that it was erased, and by whom',
  async (t) => {
    const account = await aLeaver(world());
    await endEverything(world(), account);
    const rows = (name: string) => world().store.connection.collection(name).find({ accountId: account.id }).toArray();
    const before = await rows('orders');
    await eraseAccount(operations(), account.email);
    const texts = { externalId: '', carrier: null, trackingNumber: null, shippingMethod: null };
    t.true(before.length >= 4);
    t.deepEqual(
      await rows('orders'),
      before.map((row) => ({ ...row, ...texts, isBuyerAwaited: false, isShippingOwed: false })),
    );
    const [entry, ...more] = await rows('audit');
    t.deepEqual(more, []);
    t.like(entry, {
      kind: 'account_erased',
      actor: { kind: 'operator', operator },
      details: { orders: before.length },
    });
  },
);

test.serial(
  'an export has every readable row and picture of the account and its sandbox, no secret and no name of an operator',
  async (t) => {
    const account = await aLeaver(world());
    for (const isSuspended of [true, false]) await setSuspension(operations(), { email: account.email, isSuspended });
    const files = new Map<string, string>();
    for await (const { name, content } of exportAccount(operations(), account.email))
      for await (const piece of content) files.set(name, (files.get(name) ?? '') + String(piece));
    const text = [...files.values()].join('\n');
    const hidden = secretsIn([...(await everyRow(world())).values()], account.id);
    t.true(hidden.size >= 6, [...hidden].join(' '));
    for (const value of [...hidden, operator]) t.false(text.includes(value), value);
    const [buyer] = await world().store.connection.collection('order_buyers').find({ accountId: account.id }).toArray();
    for (const value of [account.email, String(buyer?.['alias']), 'Strålkastare cnry', 'item.created'])
      t.true(text.includes(value), value);
    t.true([...files.keys()].some((name) => /^images\/[0-9a-f]{64}\/thumb\.jpg$/.test(name)));
    t.true((files.get('sandbox/items.jsonl') ?? '').includes('cnry'));
    t.false(text.includes(account.reseller.email));
    const entry = await world()
      .store.connection.collection('audit')
      .findOne({ accountId: account.id, kind: 'account_exported' });
    t.like(entry, { actor: { operator }, details: { buyers: 4 } });
    t.is((await signIn(world(), account)).id, account.id);
  },
);
