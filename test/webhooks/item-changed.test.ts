import test from 'ava';
import { accountId } from '../../features/rules/ids.ts';
import { itemWithStatus } from '../../features/items/rules/change-status.ts';
import { deletedItem } from '../../features/items/rules/delete-item.ts';
import { itemWithQuantity } from '../../features/items/rules/change-quantity.ts';
import { itemWithPrice } from '../../features/items/rules/change-price.ts';
import { describeStatus } from '../../features/items/rules/describe-item.ts';
import type { Item } from '../../features/items/rules/item.ts';
import type { Actor } from '../../features/items/rules/journal.ts';
import { updateItem } from '../../features/items/rules/upsert-item.ts';
import { recordAdRemoved } from '../../features/listings/rules/auction-end.ts';
import { changeNewestListing, withdraw } from '../../features/listings/rules/publication.ts';
import { aCaller, aLiveItem, anAd, anItem, later } from '../support/an-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';

const dashboard: Actor = { ...aCaller, kind: 'dashboard', keyId: null };
const reseller: Actor = { ...aCaller, kind: 'reseller', accountId: accountId('r'), keyId: 'key-r' };
const by = (actor: Actor) => ({ now: later(1), actor });
const changes = ({ outbox }: Item) => outbox.filter(({ type }) => type === 'item.changed');
const dearer = anItemRequest({ priceOre: 50_000 });

const writes: Readonly<Record<string, (item: Item, actor: Actor) => Item>> = {
  'a price': (item, actor) => itemWithPrice(item, 50_000, by(actor)),
  'a push with another price': (item, actor) => updateItem(item, dearer, by(actor)),
  'a status': (item, actor) => itemWithStatus(item, 'not_listed', by(actor)),
  'a deletion': (item, actor) => deletedItem(item, by(actor)),
};

for (const [what, write] of Object.entries(writes)) {
  test(`${what} by the account's own key is no news to it`, (t) => {
    t.deepEqual(changes(write(anItem(), aCaller)), []);
  });
  test(`${what} in the dashboard, or by the reseller, is told once, with who did it`, (t) => {
    for (const actor of [dashboard, reseller]) {
      const [told, ...more] = changes(write(anItem(), actor));
      t.is(told?.data['by'], actor.kind);
      t.deepEqual(more, []);
    }
  });
}

test("what a reseller's key wrote carries the reseller, whose own endpoints are not told; a session's write does not", (t) => {
  t.is(changes(itemWithPrice(anItem(), 50_000, by(reseller)))[0]?.writtenBy, reseller.accountId ?? undefined);
  const bySession = { ...reseller, keyId: null };
  t.is(changes(itemWithPrice(anItem(), 50_000, by(bySession)))[0]?.writtenBy, undefined);
});

test('a price is told with the one before, a deletion without a status', (t) => {
  const item = anItem();
  const [price] = changes(itemWithPrice(item, 50_000, by(dashboard)));
  t.like(price?.data, { what: 'price', price: 500, previousPrice: item.content.priceOre / 100 });
  t.like(changes(deletedItem(item, by(dashboard)))[0]?.data, { what: 'deleted', serviceStatus: null });
  t.like(changes(itemWithStatus(item, 'sold', by(dashboard)))[0]?.data, { what: 'taken_down', serviceStatus: 'sold' });
});

test('prices are those that reads show, also of an item that relisting made cheaper', (t) => {
  const cheaper = { ...anItem(), relisted: { times: 1, loweredOre: 5_000 } };
  const shown = describeStatus(cheaper).price;
  for (const write of [itemWithPrice(cheaper, 50_000, by(dashboard)), updateItem(cheaper, dearer, by(dashboard))])
    t.like(changes(write)[0]?.data, { price: 500, previousPrice: shown });
  t.like(changes(itemWithStatus(cheaper, 'not_listed', by(dashboard)))[0]?.data, { price: shown });
  const asShown = anItemRequest({ priceOre: shown * 100 });
  t.deepEqual(changes(updateItem(cheaper, asShown, by(dashboard))), [], 'the price that it has already');
});

test('a push in the dashboard that leaves the price alone is not told', (t) => {
  t.deepEqual(changes(updateItem(anItem(), anItemRequest({ title: 'Annan' }), by(dashboard))), []);
});

test('an auction that its seller removed at the marketplace is told; one that we took down is not', (t) => {
  const [told] = changes(recordAdRemoved(aLiveItem(), anAd, later(1)));
  t.like(told?.data, { what: 'taken_down', by: 'marketplace', platform: 'marketplace' });
  const leaving = changeNewestListing(aLiveItem(), { state: 'leaving' });
  const unwanted: Item = { ...withdraw(aLiveItem(), later(0)), serviceStatus: 'not_listed' };
  for (const ours of [leaving, unwanted]) t.deepEqual(changes(recordAdRemoved(ours, anAd, later(1))), []);
});

test('a quantity is told with what is left; none left is a take-down, and more of what was sold out is a quantity again', (t) => {
  const three: Item = { ...aLiveItem(), quantityLeft: 3 };
  t.deepEqual(changes(itemWithQuantity(three, 2, by(aCaller))), []);
  t.like(changes(itemWithQuantity(three, 2, by(dashboard)))[0]?.data, { what: 'quantity', quantityLeft: 2 });
  const none = itemWithQuantity(three, 0, by(dashboard));
  t.like(changes(none)[0]?.data, { what: 'taken_down', quantityLeft: 0, serviceStatus: 'sold' });
  t.like(changes(itemWithQuantity(none, 4, by(dashboard)))[1]?.data, { what: 'quantity', quantityLeft: 4 });
});
