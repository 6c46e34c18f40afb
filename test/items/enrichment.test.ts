import { randomUUID } from 'node:crypto';
import test from 'ava';
import { withAllThatIsStored } from '../support/told-of.ts';
import { pino } from 'pino';
import { itemId } from '../../features/rules/ids.ts';
import { effectiveContent, owedEnrichment } from '../../features/items/rules/enrich-item.ts';
import { noEnrichment, type ItemContent } from '../../features/items/rules/item-content.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { updateItem } from '../../features/items/rules/upsert-item.ts';
import { RegistryUnavailable } from '../../gateways/vehicle-registry/port.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { createItemStore, type ItemStore } from '../../features/items/store/items.ts';
import { enrichItem, type EnrichDependencies } from '../../features/items/enrich-item.ts';
import { LookupsOff, LookupsUsedUp } from '../../features/vehicles/look-up-vehicle.ts';
import { aCall, anAccountId, anItem, noon } from '../support/an-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { withDatabase } from '../support/with-database.ts';
import { inEnglish } from '../../features/items/rules/history-in-english.ts';
import { toldBy } from '../support/told-by.ts';

let store: StoreConnection;
let items: ItemStore;
withDatabase(test, (opened) => {
  store = opened;
  items = createItemStore(store);
});

const given = { title: 'volvo v60', description: 'fin' };
const better = { title: 'Volvo V60', description: 'Fin.' };
const volvo = { make: 'Volvo', model: 'V60', year: 2021 };
const plateOnly = { slug: 'vehicles', attributes: { registrationPlate: 'MLB84A' } } as const;
const all = { ...given, useAiEnhancement: true, domain: plateOnly };

async function stored(content: Partial<ItemContent> = all, change: Partial<Item> = {}): Promise<Item> {
  const id = itemId(randomUUID());
  const whole = anItemRequest(content).content;
  const item = anItem({
    id,
    externalId: id,
    content: whole,
    enrichment: noEnrichment,
    wantedPublication: 0,
    ...change,
  });
  await items.insert(item);
  return item;
}

const dependencies = (change: Partial<EnrichDependencies> = {}): EnrichDependencies => ({
  items,
  improveText: async () => better,
  classifyItem: async () => 533,
  lookUpVehicle: async () => volvo,
  fallbackCategoryId: 536,
  partTimeoutMs: 200,
  logger: pino({ level: 'silent' }),
  now: () => noon,
  ...change,
});

async function enriched(item: Item, change: Partial<EnrichDependencies> = {}): Promise<Item> {
  await enrichItem(dependencies(change), item);
  const after = await items.findById(item);
  if (after === null) throw new Error('the item is gone');
  return withAllThatIsStored(store, after);
}

test('finds text and vehicle in one write, which is no accepted one', async (t) => {
  const item = await stored();
  const after = await enriched(item);
  t.like(effectiveContent(after), better);
  t.like(effectiveContent(after).domain?.attributes, volvo);
  t.deepEqual(after.content, item.content);
  t.is(after.version, item.version + 1);
  t.is(after.revision, item.revision);
  t.deepEqual(
    after.journal.map(({ kind }) => kind),
    ['enriched', 'enriched'],
  );
});

test('what the registry does not know of a vehicle is left out', async (t) => {
  const after = await enriched(await stored(), { lookUpVehicle: async () => ({ make: '', model: 'V60', year: null }) });
  t.deepEqual(effectiveContent(after).domain?.attributes, { ...plateOnly.attributes, model: 'V60' });
  t.regex(toldBy(after), /found by the plate: V60\./);
});

test('gives the model title, description and domain, and the classifier title and description', async (t) => {
  const asked: unknown[] = [];
  const item = await stored({ ...given, useAiEnhancement: true }, { wantedPublication: 1 });
  const after = await enriched(item, {
    improveText: async (text) => {
      asked.push(text);
      return better;
    },
    classifyItem: async (text) => {
      asked.push(text);
      return 533;
    },
  });
  t.deepEqual(asked, [{ ...given, accountId: item.accountId, domain: 'other' }, given]);
  t.deepEqual(after.enrichment.category, { title: given.title, categoryId: 533 });
});

const fails = (): Promise<never> => Promise.reject(new Error('of whatever kind'));
const hangs = (): Promise<never> => new Promise<never>(() => undefined);
const away = (): Promise<never> => Promise.reject(new RegistryUnavailable('unreachable', 'away'));

for (const [name, change] of Object.entries({
  fail: { improveText: fails, lookUpVehicle: away, classifyItem: fails },
  hang: { improveText: hangs, lookUpVehicle: hangs, classifyItem: hangs },
  'are not there': { improveText: async () => null, lookUpVehicle: away },
})) {
  test(`the item goes on when model and registry ${name}, its timeline says so, and the next write asks again`, async (t) => {
    const after = await enriched(await stored(), change);
    t.deepEqual(owedEnrichment(after), []);
    t.is(effectiveContent(after), after.content);
    const said = after.journal.map((entry) => inEnglish(entry)).join(' ');
    t.regex(said, /no language model answered/);
    t.regex(said, /registry did not answer/);
    const written = updateItem(after, anItemRequest({ ...after.content, priceOre: 100 }), aCall());
    t.not(await items.replace(after, written), null);
    t.like(effectiveContent(await enriched(after)), better);
  });
}

test('the item goes on when its account has used up its look-ups, its timeline says so, and the next write asks again', async (t) => {
  const usedUp = () => Promise.reject(new LookupsUsedUp('account_used_up', 60));
  const after = await enriched(await stored(), { lookUpVehicle: usedUp });
  t.deepEqual(owedEnrichment(after), []);
  t.regex(
    after.journal.map((entry) => inEnglish(entry)).join(' '),
    /no look-ups in the vehicle registry are left for now/,
  );
  const written = updateItem(after, anItemRequest({ ...after.content, priceOre: 100 }), aCall());
  t.deepEqual(owedEnrichment(written), ['vehicle']);
});

test('without a registry the item goes on, its timeline says so, and the next write asks again', async (t) => {
  const off = () => Promise.reject(new LookupsOff());
  const after = await enriched(await stored(), { lookUpVehicle: off });
  t.deepEqual(owedEnrichment(after), []);
  t.regex(toldBy(after), /this service looks up no plates/);
  const written = updateItem(after, anItemRequest({ ...after.content, priceOre: 100 }), aCall());
  t.deepEqual(owedEnrichment(written), ['vehicle']);
});

test('a classifier that fails or hangs leaves the fallback category', async (t) => {
  for (const classifyItem of [fails, hangs]) {
    const item = await stored(given, { wantedPublication: 1 });
    t.is((await enriched(item, { classifyItem })).enrichment.category?.categoryId, 536);
  }
});

test('one part that hangs takes nothing from the others', async (t) => {
  const after = await enriched(await stored(), { improveText: hangs });
  t.like(effectiveContent(after), given);
  t.like(effectiveContent(after).domain?.attributes, volvo);
});

test('what was found about a text that was changed meanwhile is dropped', async (t) => {
  const item = await stored();
  const after = await enriched(item, {
    improveText: async () => {
      const pushed = updateItem(item, anItemRequest({ ...item.content, title: 'saab 900' }), aCall());
      t.not(await items.replace(item, pushed), null);
      return better;
    },
  });
  t.is(effectiveContent(after).title, 'saab 900');
  t.deepEqual(owedEnrichment(after), ['text']);
  t.like(effectiveContent(after).domain?.attributes, volvo);
});

test('asked twice, it works once', async (t) => {
  const item = await stored();
  const once = await enriched(item);
  t.is((await enriched(item, { improveText: fails, lookUpVehicle: fails })).version, once.version);
  await t.notThrowsAsync(enrichItem(dependencies(), { accountId: anAccountId, id: itemId(randomUUID()) }));
});

test('a text that comes back as it was needs no improvement', async (t) => {
  const after = await enriched(await stored({ ...given, useAiEnhancement: true }), { improveText: async () => given });
  t.is(after.enrichment.text?.improved, null);
  t.is(after.contentNumber, 1);
  t.regex(toldBy(after), /no improvement/);
});
