import test from 'ava';
import { setSuspension } from '../../features/accounts/administer-account.ts';
import { eraseAccount, planErasure } from '../../features/operations/erase-account.ts';
import { exportAccount } from '../../features/operations/export-account.ts';
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

/** Whether a row is the account's, or tells of it. */
const isAbout = ({ id, email, sandboxId }: Leaver, text: string): boolean =>
  [id, email, sandboxId].some((name) => text.includes(name));

/** Identifiers that stay with an order for the books. */
const idsOfOrders = (rows: ReadonlyMap<string, string>): readonly string[] =>
  [...rows].flatMap(([place, text]) => {
    if (!place.startsWith('orders ')) return [];
    const { _id, itemId, adId, dealId } = JSON.parse(text) as Record<string, string | null>;
    return [_id, itemId, adId, dealId].flatMap((id) => [...tracesIn(id ?? '')]);
  });

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
    const before = await everyRow(world());
    const others = new Map([...before].filter(([, text]) => !isAbout(account, text)));
    t.true([...others.values()].filter((text) => text.includes(neighbour.id)).length > 50);
    const known = new Set([...others.values()].flatMap((text) => [...tracesIn(text)]));
    const told = [...before.values()].filter((text) => isAbout(account, text)).flatMap((text) => [...tracesIn(text)]);
    const spared = new Set([...known, ...idsOfOrders(before), account.id, account.reference]);
    // Texts and hashes: UUIDs may stay in what others have.
    const words = new Set(told.filter((trace) => !trace.includes('-') && !spared.has(trace)));
    t.true(words.size > 100);

    t.deepEqual((await eraseAccount(operations(), account.email)).blockers, []);
    const after = await everyRow(world());
    for (const [place, text] of after)
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
    const gone = [...others].filter(([place, text]) => after.get(place) !== text);
    t.deepEqual(
      gone.map(([place]) => place).filter((place) => !/^(bulk_ids|bulk_errors|ai_answers|mails) /.test(place)),
      [],
    );
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
    const secret = /Encrypted|[a-z]Hash(?!es)|"hash"/;
    const hidden = new Set<string>();
    for (const [place, row] of await everyRow(world())) {
      const { accountId, _id } = JSON.parse(row) as { accountId?: string; _id: string };
      if (![accountId, _id].includes(account.id) || /^(order_buyers|rate_)/.test(place)) continue;
      for (const [name, value] of Object.entries(JSON.parse(row) as object))
        if (secret.test(`"${name}"`) && typeof value === 'string' && !['contentHash', 'pushHash'].includes(name))
          hidden.add(value);
    }
    t.true(hidden.size >= 6, [...hidden].join(' '));
    for (const value of [...hidden, operator]) t.false(text.includes(value), value);
    const [buyer] = await world().store.connection.collection('order_buyers').find({ accountId: account.id }).toArray();
    for (const value of [account.email, String(buyer?.['alias']), 'Strålkastare cnry', '"event":"item.created"'])
      t.true(text.includes(value) || value.startsWith('"event'), value);
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
