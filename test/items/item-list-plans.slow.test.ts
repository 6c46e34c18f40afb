import test from 'ava';
import type { DomainSlug } from '../../features/rules/domains.ts';
import { accountId, itemId } from '../../features/rules/ids.ts';
import type { WaitingFor } from '../../features/items/rules/processing.ts';
import { itemProblems } from '../../features/operations/rules/reasons.ts';
import { oemNumberTerm, searchedTerms } from '../../features/items/rules/search-terms.ts';
import type { MarketplaceStatus, ServiceStatus } from '../../features/items/rules/transitions.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { createItemListStore, type ItemListFilter, type ListPlace } from '../../features/items/store/item-list.ts';
import { rowFromItem } from '../../features/items/store/item-row.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { profileQueries, type ProfiledQuery } from '../support/profile-queries.ts';
import { anAccountId, anItem, later } from '../support/an-item.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';

const bounds = { documentsMax: 500, nearMax: 100 };
/** So many items came together and share their time. */
const sharing = 30;
/** Index keys that are read, at least once and until they end, to see which terms begin with a word. */
const keysOfTerms = 100;
/** Both windows of a page, each of which ends with all items of one time. */
const documentsMax = bounds.documentsMax + bounds.nearMax + 2 * sharing;
const itemCount = 3_000;
const limit = 50;
let store: StoreConnection;

test.before('an account has thousands of items of every kind, and another one too', async () => {
  store = await openTestStore();
  const rows = Array.from({ length: itemCount + 500 }, (_, n) => rowFromItem(exampleItem(n)));
  for (let n = 0; n < rows.length; n += 1_000) await itemCollection(store).insertMany(rows.slice(n, n + 1_000));
});
test.after.always(async () => {
  await closeTestStore(store);
});

const domains: readonly DomainSlug[] = ['auto_parts', 'books', 'fashion', 'other'];
const statuses: readonly (readonly [ServiceStatus, MarketplaceStatus])[] = [
  ['active', 'active'],
  ['active', 'pending_sync'],
  ['sold', 'sold'],
  ['draft', 'pending_sync'],
];

const timeOf = (n: number): Date => later(Math.floor(n / sharing) * 1_000);

/** Every fifth of the older half waits for the marketplace, and one in 1,000 for the operator. */
const problemOf = (n: number): WaitingFor | null =>
  n % 1_000 === 1 ? 'operator' : n < itemCount / 2 && n % 5 === 0 ? 'marketplace' : null;
const withProblem = (wanted: (n: number) => boolean): string[] =>
  Array.from({ length: itemCount }, (_, n) => itemCount - 1 - n)
    .filter(wanted)
    .map((n) => `A${n}`);

/** One in 1,000 has the word `sällsynt`, the older half `gammal`, each part its own OEM number. */
function exampleItem(n: number) {
  const item = anItem();
  const slug = n % 500 === 0 ? 'watches' : (domains[n % 4] ?? 'other');
  const [serviceStatus, marketplaceStatus] = statuses[Math.floor(n / 7) % 4] ?? ['active', 'active'];
  const words = [...(n % 1_000 === 0 ? ['sällsynt'] : []), ...(n < itemCount / 2 ? ['gammal'] : [])];
  const title = `Volvo del ${n} ${words.join(' ')}`;
  const attributes = slug === 'auto_parts' ? { part: { oemNumber: `OEM-${n}` } } : {};
  const problem = problemOf(n);
  return {
    ...item,
    ...(problem !== null && { processing: { ...item.processing, waitingFor: problem, since: timeOf(n) } }),
    id: itemId(`10000000-0000-4000-8000-${String(n).padStart(12, '0')}`),
    accountId: n < itemCount ? anAccountId : accountId('someone else'),
    externalId: `A${n}`,
    serviceStatus,
    marketplaceStatus,
    content: { ...item.content, title, domain: { slug, attributes } },
    createdAt: timeOf(n),
    updatedAt: timeOf(n),
  };
}

/** What the server did for one page. Serial, because the profile is the database's. */
async function profile(filter: ItemListFilter, pages = 1) {
  const found: string[] = [];
  const queries = await profileQueries(
    store,
    async () => {
      let after: ListPlace | undefined;
      for (let page = 0; page < pages; page += 1) {
        const slice = await createItemListStore(store, bounds).walk(anAccountId, filter, { after, limit });
        found.push(...slice.items.map(({ externalId }) => externalId));
        if (slice.end === null) break;
        after = slice.end;
      }
    },
    'any',
  );
  const sum = (of: (query: ProfiledQuery) => number): number => queries.reduce((total, query) => total + of(query), 0);
  return { found, documents: sum((one) => one.docsExamined), keys: sum((one) => one.keysExamined), queries };
}

/** Each of the up to 25 pairs of states is looked into once, and once more where a page goes on, beside the page itself. */
const orderedMax = { documents: limit + 1, keys: limit + 1 + 4 * 25 };

const ordered: Readonly<Record<string, ItemListFilter>> = {
  'no filter': {},
  serviceStatus: { serviceStatus: 'draft' },
  marketplaceStatus: { marketplaceStatus: 'active' },
  'both states': { serviceStatus: 'active', marketplaceStatus: 'pending_sync' },
  'states that no item has': { serviceStatus: 'archived', marketplaceStatus: 'sync_error' },
  domain: { domain: 'books' },
  'a domain that few items have': { domain: 'watches' },
  'a domain that no item has': { domain: 'music' },
  'domain and states': { domain: 'other', serviceStatus: 'sold', marketplaceStatus: 'sold' },
};
const orders: Readonly<Record<string, ItemListFilter>> = {
  'by creation': {},
  'by creation, the first one first': { sort: 'created' },
  'by change, the last one first': { sort: '-updated' },
  'by change': { updatedSince: timeOf(100) },
  'by change, the newest ones': { updatedSince: timeOf(itemCount - sharing) },
};

const isLatestFirst = ({ updatedSince, sort }: ItemListFilter): boolean =>
  updatedSince === undefined && sort !== 'created';

for (const [order, since] of Object.entries(orders))
  for (const [name, filter] of Object.entries(ordered)) {
    const title = `a page costs what a page has, in the middle too, whatever the account has: ${order}, ${name}`;
    test.serial(title, async (t) => {
      const pages = 4;
      const { documents, keys, queries } = await profile({ ...filter, ...since }, pages);
      t.true(documents <= pages * orderedMax.documents, `${documents} documents`);
      t.true(keys <= pages * orderedMax.keys, `${keys} keys`);
      t.true(queries.every((query) => isOrderedPlan(query)));
    });
  }

const isOrderedPlan = ({ planSummary = '', hasSortStage = false }: ProfiledQuery): boolean =>
  planSummary.includes('IXSCAN') && !planSummary.includes('COLLSCAN') && !hasSortStage;

for (const [order, since] of Object.entries(orders))
  test.serial(`pages have every item once, in the order of time and id: ${order}`, async (t) => {
    const { found } = await profile(since, 1_000);
    const from = since.updatedSince?.getTime() ?? 0;
    const expected = Array.from({ length: itemCount }, (_, n) => n).filter((n) => timeOf(n).getTime() >= from);
    const names = expected.map((n) => `A${n}`);
    t.deepEqual(found, isLatestFirst(since) ? names.toReversed() : names);
  });

test.serial('rare words and search keys cost the documents that have them', async (t) => {
  const rare = await profile({ terms: searchedTerms('sällsynt volvo'), serviceStatus: 'active' });
  t.true(rare.documents <= 8, `${rare.documents} documents`);
  const oem = await profile({ terms: [{ whole: oemNumberTerm('oem-4') ?? '' }] });
  t.deepEqual(oem.found, ['A4']);
  t.is(oem.documents, 1);
  t.is((await profile({ terms: searchedTerms('finnsinte volvo') })).documents, 0);
});

test.serial('a number, or a part of a word, costs the documents that have it', async (t) => {
  for (const [text, names] of [
    ['A1042', ['A1042']],
    ['1042', ['A1042']],
    ['042', ['A2042', 'A1042']],
    ['syntax', []],
    ['sallsy', ['A2000', 'A1000', 'A0']],
    ['ällsynt volvo', ['A2000', 'A1000', 'A0']],
    ['A104', [...Array.from({ length: 10 }, (_, n) => `A${1_049 - n}`), 'A104']],
  ] as const) {
    const { found, documents, keys } = await profile({ terms: searchedTerms(text) });
    t.deepEqual(found, names, text);
    t.true(documents <= names.length, `${text}: ${documents} documents`);
    t.true(keys <= 250, `${text}: ${keys} keys`);
  }
});

test.serial('the beginning of many different words is read as one range, which is bounded', async (t) => {
  const { found, documents, keys } = await profile({ terms: searchedTerms('A2') }, 100);
  const numbers = Array.from({ length: itemCount }, (_, n) => n).filter((n) => String(n).startsWith('2'));
  t.deepEqual(found, numbers.map((n) => `A${n}`).toReversed());
  const pages = Math.ceil(found.length / limit);
  t.true(documents <= pages * documentsMax, `${documents} documents`);
  t.true(keys <= pages * 4 * documentsMax, `${keys} keys`);
});

test.serial(
  'a problem costs the page, in the middle too, however many items have it and wherever they are',
  async (t) => {
    for (const problem of ['marketplace', 'any', 'images'] as const) {
      const pages = 4;
      const { found, documents, keys, queries } = await profile({ problem }, pages);
      t.is(found.length, problem === 'images' ? 0 : pages * limit);
      t.true(documents <= pages * (limit + 1), `${problem}: ${documents} documents`);
      // Each of the problems is looked into once, and once more where a page goes on.
      t.true(keys <= pages * (limit + 1 + 4 * itemProblems.length), `${problem}: ${keys} keys`);
      t.true(queries.every((query) => isOrderedPlan(query)));
    }
  },
);

test.serial('a rare problem costs the items that have it, in every order and with every filter', async (t) => {
  const others: ItemListFilter[] = [{ sort: 'created' }, { domain: 'books' }, { terms: searchedTerms('volvo') }];
  for (const more of [...Object.values(orders), ...others]) {
    const { documents } = await profile({ problem: 'operator', ...more });
    t.true(documents <= 3, JSON.stringify(more));
  }
  const { found } = await profile({ problem: 'operator', terms: searchedTerms('volvo 2001') });
  t.deepEqual(found, ['A2001']);
});

for (const [order, since] of Object.entries(orders))
  test.serial(`a frequent problem with a filter has all its items, by pages that are bounded: ${order}`, async (t) => {
    const pages = 200;
    const { found, documents } = await profile({ problem: 'any', domain: 'auto_parts', ...since }, pages);
    t.true(documents <= pages * documentsMax, `${documents} documents`);
    const from = since.updatedSince?.getTime() ?? 0;
    const expected = withProblem(
      (n) => problemOf(n) !== null && n % 500 !== 0 && n % 4 === 0 && timeOf(n).getTime() >= from,
    );
    t.deepEqual(found, isLatestFirst(since) ? expected : expected.toReversed());
  });

test.serial('only rare words in the order of the changes are sorted in memory', async (t) => {
  const terms = searchedTerms('sällsynt');
  const [created, changed] = [await profile({ terms }), await profile({ terms, updatedSince: timeOf(0) })];
  t.false(created.queries.some(({ hasSortStage }) => hasSortStage));
  t.true(changed.queries.some(({ hasSortStage }) => hasSortStage));
  for (const { documents } of [created, changed]) t.is(documents, 3);
});

test.serial(
  'one word costs the page, in the middle too, however many items have it and wherever they are',
  async (t) => {
    for (const word of ['volvo', 'gammal']) {
      const pages = 4;
      const { found, documents, keys, queries } = await profile({ terms: searchedTerms(word) }, pages);
      t.is(found.length, pages * limit);
      t.true(documents <= pages * (limit + 1), `${documents} documents`);
      // To see which terms begin with the word, and the page.
      t.true(keys <= pages * (keysOfTerms + limit + 3), `${keys} keys`);
      t.true(queries.every((query) => isOrderedPlan(query)));
    }
  },
);

test.serial('words that every item has cost a page', async (t) => {
  const { found, documents, keys, queries } = await profile({ terms: searchedTerms('volvo delar') });
  t.false(queries.some(({ hasSortStage }) => hasSortStage));
  t.is(found.length, limit);
  t.true(documents <= limit + 1, `${documents} documents`);
  // To see that both words are frequent, where the near window ends, and the page.
  const counted = 2 * (keysOfTerms + bounds.nearMax + 1);
  t.true(keys <= counted + bounds.nearMax + 25 + orderedMax.keys, `${keys} keys`);
});

for (const [order, since] of Object.entries(orders))
  test.serial(`frequent words among all items, by pages that are bounded: ${order}`, async (t) => {
    const terms = searchedTerms('volvo gammal');
    const pages = 200;
    const { found, documents, queries } = await profile({ terms, ...since }, pages);
    t.true(documents <= pages * documentsMax);
    t.true(queries.every((query) => isOrderedPlan(query)));
    const from = since.updatedSince?.getTime() ?? 0;
    const names = Array.from({ length: itemCount / 2 }, (_, n) => n).filter((n) => timeOf(n).getTime() >= from);
    const expected = names.map((n) => `A${n}`);
    t.deepEqual(found, isLatestFirst(since) ? expected.toReversed() : expected);
  });

test.serial('a search never reads more documents than its bound, and its pages go on to the end', async (t) => {
  const filter = { terms: searchedTerms('volvo del'), domain: 'watches', serviceStatus: 'sold' } as const;
  const { found, documents } = await profile(filter, 100);
  t.true(documents <= documentsMax);
  const expected = Array.from({ length: itemCount }, (_, n) => exampleItem(n)).filter(
    ({ content, serviceStatus }) => content.domain.slug === 'watches' && serviceStatus === 'sold',
  );
  t.deepEqual(found, expected.map(({ externalId }) => externalId).reverse());
});

test.serial('a search for what only the older half has finds all of it, a bounded piece at a time', async (t) => {
  const filter = { terms: searchedTerms('gammal volvo') };
  const first = await profile(filter);
  t.deepEqual(first.found, []);
  t.true(first.documents <= documentsMax);
  const found: string[] = [];
  for (let after: ListPlace | undefined, page = 0; page < 100; page += 1) {
    const slice = await createItemListStore(store, bounds).walk(anAccountId, filter, { after, limit });
    found.push(...slice.items.map(({ externalId }) => externalId));
    if (slice.end === null) break;
    after = slice.end;
  }
  t.deepEqual(
    found,
    Array.from({ length: itemCount / 2 }, (_, n) => `A${itemCount / 2 - 1 - n}`),
  );
});

test.serial('the index keys of a write: a changed price moves two, an unchanged text none of its words', async (t) => {
  const items = createItemStore(store);
  const found = await items.findById({ accountId: anAccountId, id: itemId('10000000-0000-4000-8000-000000000001') });
  const item = found && (await items.replace(found, { ...found, startAt: null }));
  if (item === null) throw new Error('no item');
  const database = store.connection.db;
  if (database === undefined) throw new Error('not connected');
  await database.command({ profile: 0 });
  await database.dropCollection('system.profile').catch(() => undefined);
  await database.command({ profile: 2 });
  await items.replace(item, { ...item, content: { ...item.content, priceOre: 12_300 }, updatedAt: later(9e9) });
  await database.command({ profile: 0 });
  const [write] = await database.collection('system.profile').find({ op: 'update' }).toArray();
  t.like(write, { nModified: 1, keysInserted: 2, keysDeleted: 2 });
  const written = JSON.stringify(write);
  for (const unchanged of ['searchTerms', 'title', 'extendedAttributes'])
    t.false(written.includes(unchanged), unchanged);
  t.is((await items.findById(item))?.content.priceOre, 12_300);
});
