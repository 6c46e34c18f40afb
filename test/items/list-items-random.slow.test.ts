import { randomUUID } from 'node:crypto';
import test from 'ava';
import fc from 'fast-check';
import { accountId, itemId, type AccountId } from '../../features/rules/ids.ts';
import { deletedItem } from '../../features/items/rules/delete-item.ts';
import { itemWithPrice } from '../../features/items/rules/change-price.ts';
import type { Item } from '../../features/items/rules/item.ts';
import type { Scope } from '../../features/rules/scope.ts';
import { readItemListQuery } from '../../schemas/items/item-list.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { createItemListStore, type ItemListStore } from '../../features/items/store/item-list.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { listItems, type ItemListPage } from '../../features/items/read-item.ts';
import { aCaller, anItem } from '../support/an-item.ts';
import { withDatabase } from '../support/with-database.ts';
import { checkProperty } from '../support/check-property.ts';
import { present } from '../support/clock.ts';

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

/** Every kind of filter; the items below match all of them. The windows of a search are small, so that pages cross them. */
const filters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  none: {},
  serviceStatus: { serviceStatus: 'active' },
  marketplaceStatus: { marketplaceStatus: 'pending_sync' },
  'both states': { serviceStatus: 'active', marketplaceStatus: 'pending_sync' },
  domain: { domain: 'auto_parts' },
  'domain and states': { domain: 'auto_parts', serviceStatus: 'active', marketplaceStatus: 'pending_sync' },
  'a word': { q: 'volvo' },
  'a word and a state': { q: 'volvo', serviceStatus: 'active' },
  'a problem': { problem: 'operator' },
  'some problem of a state, with a word': { problem: 'any', serviceStatus: 'active', q: 'volvo' },
  'a search key': { oem_number: 'OEM-1' },
  'all at once': { q: 'volvo', oem_number: 'OEM-1', domain: 'auto_parts', serviceStatus: 'active' },
};
const windows = { documentsMax: 7, nearMax: 3 };

const writes = fc.record({
  kind: fc.constantFrom('create', 'change', 'change', 'change late', 'delete'),
  which: fc.nat(),
  price: fc.integer({ min: 1, max: 1_000 }),
  lateMs: fc.integer({ min: 1, max: 9_000 }),
});
type Write = Parameters<World['write']>[0];
const stories = fc.record({
  ages: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 24 }),
  limit: fc.integer({ min: 1, max: 7 }),
  between: fc.array(fc.array(writes, { maxLength: 4 }), { minLength: 1, maxLength: 12 }),
});

/** One account, what was written to it, and a reader of its list. */
class World {
  readonly #account: AccountId = accountId(randomUUID());
  readonly #items = createItemStore(store);
  /** Present items as they are stored. */
  readonly items: Item[] = [];
  readonly deleted = new Set<string>();

  /** Many share the time of their creation. */
  async create(createdAt: Date): Promise<void> {
    const base = anItem();
    const domain = { slug: 'auto_parts' as const, attributes: { part: { oemNumber: 'OEM-1' } } };
    const content = { ...base.content, title: 'Strålkastare Volvo V70', domain };
    const [id, externalId] = [itemId(randomUUID()), `A${this.items.length + this.deleted.size}`];
    const processing = { ...base.processing, waitingFor: 'operator' as const, since: createdAt };
    const names = { id, externalId, accountId: this.#account };
    const item: Item = { ...base, ...names, content, processing, createdAt, updatedAt: createdAt };
    await this.#items.insert(item);
    this.items.push(item);
  }

  async write(write: { kind: string; which: number; price: number; lateMs: number }): Promise<void> {
    if (write.kind === 'create' || this.items.length === 0) return this.create(present());
    const index = write.which % this.items.length;
    const item = this.items[index];
    if (item === undefined) throw new Error('no item');
    const call = { now: present(), actor: aCaller };
    if (write.kind === 'delete') {
      await this.#items.replace(item, deletedItem(item, call));
      this.items.splice(index, 1);
      this.deleted.add(item.externalId);
      return;
    }
    const stored = await this.#items.replace(item, itemWithPrice(item, write.price * 100, call));
    if (stored === null) throw new Error('lost against itself');
    this.items[index] = stored;
    // As if the database had given it its time so long ago, and shows it only now.
    if (write.kind === 'change late') {
      const changedAt = present(-write.lateMs);
      await itemCollection(store).updateOne({ _id: item.id }, { $set: { changedAt } });
    }
  }

  page(query: Readonly<Record<string, string>>, clock: Partial<ItemListStore> = {}): Promise<ItemListPage> {
    const scope: Scope = {
      accountId: this.#account,
      actingAccountId: this.#account,
      credential: { kind: 'system' },
    };
    const itemList = { ...createItemListStore(store, windows), ...clock };
    return listItems({ itemList, imagesUrl: 'https://x.test/images' }, scope, readItemListQuery(query));
  }

  /** All pages from the first to the last, with writes between them. */
  async readAll(query: Readonly<Record<string, string>>, between: readonly Write[][]): Promise<ItemListPage[]> {
    const pages = [await this.page(query)];
    for (let n = 0; ; n += 1) {
      const cursor = pages.at(-1)?.nextCursor ?? null;
      if (cursor === null) return pages;
      for (const write of between[n] ?? []) await this.write(write);
      pages.push(await this.page({ ...query, cursor }));
    }
  }

  /** Time passes, seen from its other end: all that has happened was so much longer ago. */
  async age(ms: number): Promise<void> {
    const changedAt = { $subtract: ['$changedAt', ms] };
    await itemCollection(store).updateMany({ accountId: this.#account }, [{ $set: { changedAt } }]);
  }
}

const idsOf = (pages: readonly ItemListPage[]): string[] =>
  pages.flatMap(({ items }) => items.map(({ externalId }) => externalId));

for (const [name, filter] of Object.entries(filters)) {
  // specification: the-list-cursor-pages
  test(`an item that is there all the time comes exactly once, whatever is written between the pages: ${name}`, async (t) => {
    await checkProperty(
      t,
      fc.asyncProperty(stories, async ({ ages, limit, between }) => {
        const world = new World();
        for (const age of ages) await world.create(present(-age));
        const before = world.items.map(({ externalId }) => externalId);
        const met = idsOf(await world.readAll({ ...filter, limit: String(limit) }, between));
        const missed = before.filter((id) => !world.deleted.has(id) && !met.includes(id));
        t.deepEqual(missed, []);
        t.deepEqual(met, [...new Set(met)]);
      }),
      { numRuns: 12 },
    );
  });

  test(`who follows updatedSince misses no change, also one that is shown late: ${name}`, async (t) => {
    await checkProperty(
      t,
      fc.asyncProperty(stories, async ({ ages, limit, between }) => {
        const world = new World();
        for (const age of ages) await world.create(present(-age));
        const known = new Map<string, number>();
        let since = '1970-01-01T00:00:00.000Z';
        const follow = async (writesOfPages: readonly Write[][]): Promise<void> => {
          const pages = await world.readAll({ ...filter, limit: String(limit), updatedSince: since }, writesOfPages);
          for (const { items } of pages) for (const { externalId, price } of items) known.set(externalId, price);
          const next = pages.map(({ nextUpdatedSince }) => nextUpdatedSince);
          t.true(next.slice(0, -1).every((time) => time === null));
          since = next.at(-1) ?? 'none';
        };
        for (let n = 0; n < between.length; n += 3) {
          await follow(between.slice(n, n + 2));
          for (const write of between[n + 2] ?? []) await world.write(write);
          await world.age(20_000);
          since = new Date(Date.parse(since) - 20_000).toISOString();
        }
        await follow([]);
        const prices = world.items.map(({ externalId, content }) => [externalId, content.priceOre / 100]);
        for (const id of world.deleted) known.delete(id);
        t.deepEqual(Object.fromEntries(known), Object.fromEntries(prices));
      }),
      { numRuns: 12 },
    );
  });
}

test('a reader who rests between two pages is told the time before the first of them, so nothing that came meanwhile is passed', async (t) => {
  const world = new World();
  for (let n = 0; n < 3; n += 1) await world.create(present());
  const query = { updatedSince: '1970-01-01T00:00:00Z', limit: '2' };
  const [before, afterwards] = [new Date('2026-11-21T12:00:00Z'), new Date('2026-11-21T13:00:00Z')];
  const first = await world.page(query, { settledUntil: () => Promise.resolve(before) });
  t.is(first.nextUpdatedSince, null);
  const rest = { ...query, cursor: first.nextCursor ?? '' };
  const last = await world.page(rest, { settledUntil: () => Promise.resolve(afterwards) });
  t.is(last.nextCursor, null);
  t.is(last.nextUpdatedSince, before.toISOString());
});
