import test from 'ava';
import type { ItemContent } from '../../features/items/rules/item-content.ts';
import {
  itemEndsMax,
  itemTermsMax,
  searchedTerms,
  swedishStem,
  termsOfItem,
  termsOfText,
} from '../../features/items/rules/search-terms.ts';
import { anItem } from '../support/an-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';

const termsOf = (content: Partial<ItemContent>): string[] =>
  termsOfItem(anItem({ content: anItemRequest(content).content }));

// From the vocabulary that the algorithm is published with (snowballstem.org).
const stems = {
  jakt: 'jakt',
  jaktkarl: 'jaktkarl',
  jakten: 'jakt',
  klokast: 'klok',
  klockor: 'klock',
  klockorna: 'klock',
  klostret: 'klostret',
  klubba: 'klubb',
  klubbade: 'klubb',
  kloliknande: 'klolikn',
  kärlekslöst: 'kärlekslös',
  bromsskivor: 'bromsskiv',
  bromsskiva: 'bromsskiv',
  v70: 'v70',
  '123': '123',
};

test('a word has the stem of the Snowball algorithm for Swedish', (t) => {
  t.deepEqual(Object.fromEntries(Object.keys(stems).map((word) => [word, swedishStem(word)])), stems);
});

test('words are compared without case, accents and punctuation, and å, ä and ö are letters', (t) => {
  t.deepEqual(termsOfText('KAFÉ, kafe! Får far'), ['kaf', 'får', 'far']);
  t.deepEqual(termsOfText('V-70 (SKÄRM)'), ['v', '70', 'skärm']);
  t.deepEqual(termsOfText('A\u030Ahus'), termsOfText('Åhus'));
});

test('filling words are no terms, and a text of nothing else has none', (t) => {
  t.deepEqual(termsOfText('till och med'), []);
});

test('no word of a text can look like a search key', (t) => {
  t.deepEqual(termsOfText('plate:MLB84A'), ['plat', 'mlb84a']);
});

test('the search key of an item is one of its terms, normalised', (t) => {
  const vehicle = { slug: 'vehicles', attributes: { registrationPlate: 'MLB84A' } } as const;
  t.true(termsOf({ domain: vehicle }).includes('plate:MLB84A'));
  const book = { slug: 'books', attributes: { isbn: '0306406152' } } as const;
  t.true(termsOf({ domain: book }).includes('isbn:9780306406157'));
  const part = { slug: 'auto_parts', attributes: { part: { oemNumber: '1k0 615.301-AA' } } } as const;
  t.true(termsOf({ domain: part }).includes('oem:1K0615301AA'));
});

test('an item has a bounded number of terms, however long its text', (t) => {
  const description = Array.from({ length: 3_000 }, (_, n) => `ord${String(n)}`).join(' ');
  const terms = termsOf({ title: 'Titeln först', description });
  t.true(terms.length > itemTermsMax);
  t.true(terms.length <= itemTermsMax + itemEndsMax);
  t.true(terms.includes('titeln'));
});

test('an improved text and the one it was made from both find the item', (t) => {
  const item = anItem();
  const content = { ...item.content, title: 'Ratt', description: 'Läder', useAiEnhancement: true };
  const text = {
    of: { title: 'Ratt', description: 'Läder' },
    improved: { title: 'Sportratt', description: 'I nappa' },
    unansweredAtRevision: null,
  };
  const terms = termsOfItem({ ...item, content, enrichment: { ...item.enrichment, text } });
  for (const word of ['ratt', 'läder', 'sportratt', 'nappa']) t.true(terms.includes(swedishStem(word)), word);
});

/** Whether a search for the text finds an item with these terms, by the rule of the store. */
const finds = (terms: readonly string[], text: string): boolean =>
  searchedTerms(text).every(({ whole, start }) =>
    terms.some((term) => term === whole || (start !== undefined && term.startsWith(start))),
  );

test('an item is found by its external id and by parts of the words of its title, with å, ä and ö or without', (t) => {
  const item = anItem({ externalId: 'GBG-5002' });
  const content = { ...item.content, title: 'Strålkastare vänster', description: 'Originaldelar till Volvo' };
  const terms = termsOfItem({ ...item, content });
  const found = ['GBG-5002', 'GBG-50', '5002', '002', 'strål', 'STRÅLKASTARNA', 'stralkastare', 'kastare vanster'];
  for (const text of [...found, 'original', 'volvo']) t.true(finds(terms, text), text);
  for (const text of ['GBG-5003', 'are', 'bg', 'tralla', 'ginal', 'a', 'stralkastare höger'])
    t.false(finds(terms, text), text);
});

test('the terms of an item follow its external id, although another item may have the same content', (t) => {
  const { content } = anItem();
  const [one, other] = ['GBG-1', 'GBG-2'].map((externalId) => termsOfItem(anItem({ externalId, content })));
  t.notDeepEqual(one, other);
});
