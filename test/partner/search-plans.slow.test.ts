import test from 'ava';
import { accountId, itemId } from '../../features/rules/ids.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { searchedTerms } from '../../features/items/rules/search-terms.ts';
import { openStore, type StoreConnection } from '../../platform/database/connection.ts';
import { createItemListStore, type ListPlace } from '../../features/items/store/item-list.ts';
import { rowFromItem } from '../../features/items/store/item-row.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { profileQueries, type ProfiledQuery } from '../support/profile-queries.ts';
import { anAccountId, anItem, later } from '../support/an-item.ts';
import { testMongodbUri } from '../support/open-test-store.ts';

/** Of one account; another one has a thousand of the same. `SEARCH_ITEMS=1000000` fills for some minutes more: the same bounds hold. */
const itemCount = Number(process.env['SEARCH_ITEMS'] ?? 200_000);
const [rowsAtOnce, limit] = [5_000, 50];
const other = accountId('b0000000-0000-4000-8000-000000000001');
/** Filling takes some minutes. */
const patienceMs = 30 * 60_000;
let store: StoreConnection;

test.before('an account has a great many items', async (t) => {
  t.timeout(patienceMs);
  // A database of its own, without indexes until the rows are there: `closeTestStore` would empty it row by row.
  store = await openStore({ uri: testMongodbUri(), database: 'search-plans' });
  const items = itemCollection(store);
  const options = { ordered: false, writeConcern: { w: 1, journal: false } } as const;
  for (let from = 0; from < itemCount; from += rowsAtOnce) {
    const rows = Array.from({ length: rowsAtOnce }, (_, n) => rowFromItem(exampleItem(from + n)));
    await items.insertMany(rows, options);
  }
  const few = Array.from({ length: 1_000 }, (_, n) => ({
    ...exampleItem(n),
    accountId: other,
    id: idOf(itemCount + n),
  }));
  await items.insertMany(few.map(rowFromItem), options);
  await store.ensureIndexes();
});
test.after.always(async () => {
  await store.connection.dropDatabase();
  await store.close();
});

const idOf = (n: number) => itemId(`10000000-0000-4000-8000-${String(n).padStart(12, '0')}`);
const parts = [
  'strålkastare',
  'backspegel',
  'stötdämpare',
  'bränslepump',
  'vindrutetorkare',
  'generator',
  'startmotor',
];
const makes = ['volvo', 'saab', 'opel', 'audi', 'skoda'];

/** Every 200th has `kupévärmare`; one in 100,000 `raritetsfynd`. All are a second apart, the first one oldest. */
function exampleItem(n: number): Item {
  const item = anItem();
  const words = [parts[n % parts.length], makes[n % makes.length], 'begagnad', `årsmodell ${1990 + (n % 30)}`];
  if (n % 200 === 0) words.push('kupévärmare');
  if (n % 100_000 === 7) words.push('raritetsfynd');
  const [title, at] = [words.join(' '), later(n * 1_000)];
  const times = { createdAt: at, updatedAt: at };
  return { ...item, ...times, id: idOf(n), externalId: `GBG-${n}`, content: { ...item.content, title } };
}

/** The first page of a search, and what the server looked at for it. */
async function search(text: string, account = anAccountId) {
  const found: string[] = [];
  const queries = await profileQueries(
    store,
    async () => {
      let after: ListPlace | undefined;
      // A slice of a search may be empty and not be the last.
      for (let slices = 0; slices === 0 || (found.length < limit && after !== undefined && slices < 3); slices += 1) {
        const walk = { after, limit: limit - found.length };
        const slice = await createItemListStore(store).walk(account, { terms: searchedTerms(text) }, walk);
        found.push(...slice.items.map(({ externalId }) => externalId));
        after = slice.end ?? undefined;
      }
    },
    'any',
  );
  const sum = (of: (query: ProfiledQuery) => number): number => queries.reduce((total, query) => total + of(query), 0);
  const isScanned = queries.some(({ planSummary = '' }) => planSummary.includes('COLLSCAN'));
  return { found, documents: sum((one) => one.docsExamined), keys: sum((one) => one.keysExamined), isScanned };
}

/** To see which terms there are for a word, six reads of 50 keys each; then the keys of a page. */
const wordKeys = 6 * 50;
const pageKeys = limit + 1 + 24;

/** What is typed, how many items a page of it has, and the most documents and index keys that it may take. */
const searches: readonly (readonly [text: string, shown: number, documents: number, keys: number])[] = [
  [`GBG-${itemCount - 7}`, 1, 1, 2 * wordKeys + 5_501],
  [String(itemCount - 7), 1, 1, wordKeys],
  ['strålkastare', limit, limit + 1, wordKeys + pageKeys],
  ['stralkastare', limit, limit + 1, wordKeys + pageKeys],
  ['kastare', limit, limit + 1, wordKeys + pageKeys],
  ['strålk', limit, limit + 1, wordKeys + pageKeys],
  ['kupévärmare', limit, limit + 1, wordKeys + pageKeys],
  ['värmare', limit, limit + 1, wordKeys + pageKeys],
  ['raritetsfynd', Math.ceil((itemCount - 7) / 100_000), 10, wordKeys],
  ['fynd', Math.ceil((itemCount - 7) / 100_000), 10, wordKeys],
  ['raritetsfynd volvo', 0, 10, 2 * wordKeys + 5_501],
  ['finnsinte', 0, 0, 10],
  ['volvo strålkastare', limit, 5_600, 25_000],
  ['GBG-99', limit, 5_600, 25_000],
];

for (const [text, shown, documents, keys] of searches)
  test.serial(`a search among a great many items is bounded: ${text}`, async (t) => {
    const taken = await search(text);
    t.log(`${taken.found.length} shown, ${taken.documents} documents, ${taken.keys} keys`);
    t.false(taken.isScanned);
    t.true(taken.documents <= documents, `${taken.documents} documents`);
    t.true(taken.keys <= keys, `${taken.keys} keys`);
    t.is(taken.found.length, shown);
  });

test.serial('one word that every item has costs an account of a thousand as much', async (t) => {
  const [many, few] = [await search('stralkastare'), await search('stralkastare', other)];
  t.is(many.documents, few.documents);
  t.true(many.keys <= few.keys + 10, `${many.keys} and ${few.keys} keys`);
});
