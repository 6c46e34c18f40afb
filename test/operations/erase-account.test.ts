import test from 'ava';
import { setSuspension } from '../../features/accounts/administer-account.ts';
import { eraseAccount, planErasure } from '../../features/operations/erase-account.ts';
import { exportAccount } from '../../features/operations/export-account.ts';
import { queueOfAddress } from '../../features/mail/account-mail.ts';
import { Refusal } from '../../features/rules/errors.ts';
import { furnish } from '../../verification/isolation/support/furnish.ts';
import { aPerson, join, signIn } from '../../verification/isolation/support/people.ts';
import { tracesIn } from '../../verification/isolation/support/traces.ts';
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
      ['1 auction up', '2 orders unpaid or undelivered', 'a checkout that may still be paid'],
    );
    t.true(blockers.every(({ ids, howToEnd }) => ids.length > 0 && howToEnd.length > 20));
    t.true((rows['items'] ?? 0) > 5);
    t.deepEqual(await everyRow(world()), before);
    await endEverything(world(), account);
    t.deepEqual((await planErasure(operations(), account.email)).blockers, []);
    const { email } = account.reseller;
    t.regex((await planErasure(operations(), email)).blockers[0]?.what ?? '', /^a reseller agreement with 1 member$/);
  },
);

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
