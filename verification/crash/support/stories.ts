import type { StoredItem } from './stored-item.ts';

/** What has to be true of an external id when everything has come to rest. */
export interface Ending {
  /** What GET shows; `gone` is a 404. */
  readonly item: 'gone' | { readonly service: string; readonly marketplace: string; readonly price: number };
  /** The one auction that is up. `first` is that of the beginning; `held` has bids. */
  readonly up?: { readonly title: string; readonly price: number; readonly first: boolean };
  /** Auctions that were won. */
  readonly sales?: number;
  /** Codes of listing.failed with the least and the greatest number of them. */
  readonly failures?: Readonly<Record<string, readonly [least: number, most: number]>>;
}

export interface Story {
  readonly name: string;
  readonly run: (item: StoredItem) => Promise<void>;
  readonly ending: Ending;
}

export const firstTitle = 'Som den var';
export const firstPrice = 100;
const newTitle = 'Som den blev';

const live = (price: number, up: { title?: string; first: boolean }): Ending => ({
  item: { service: 'active', marketplace: 'active', price },
  up: { title: firstTitle, price, ...up },
});
/** Bids hold the auction as it was. */
const held = { title: firstTitle, price: firstPrice, first: true };
const down = (service: string, price = firstPrice): Ending => ({ item: { service, marketplace: 'ended', price } });

const withoutBids: readonly Story[] = [
  {
    name: 'five prices',
    run: async (item) => {
      for (const price of [220, 340, 180, 410, 505]) await item.price(price);
    },
    ending: live(505, { first: true }),
  },
  {
    name: 'another title and a price',
    run: async (item) => {
      await item.push({ title: 'Något annat' });
      await item.price(150);
      await item.push({ title: newTitle, price: 160 });
    },
    ending: live(160, { first: true }),
  },
  {
    name: 'not_listed',
    run: async (item) => {
      await item.price(210);
      await item.setStatus('not_listed');
    },
    ending: down('not_listed', 210),
  },
  {
    name: 'sold elsewhere',
    run: (item) => item.setStatus('sold'),
    ending: down('sold'),
  },
  {
    name: 'deleted',
    run: async (item) => {
      await item.price(310);
      await item.remove();
    },
    ending: { item: 'gone' },
  },
  {
    name: 'deleted and created again',
    run: async (item) => {
      await item.remove();
      await item.push({ title: newTitle, price: 120 });
      await item.price(130);
    },
    ending: live(130, { title: newTitle, first: false }),
  },
  {
    name: 'deleted and created again twice',
    run: async (item) => {
      await item.remove();
      await item.push({ title: 'Däremellan' });
      await item.remove();
      await item.push({ title: newTitle });
    },
    ending: live(firstPrice, { title: newTitle, first: false }),
  },
  {
    name: 'taken down and published',
    run: async (item) => {
      await item.setStatus('not_listed');
      await item.publish();
      await item.price(260);
    },
    ending: live(260, { first: false }),
  },
  {
    name: 'taken down, published, taken down',
    run: async (item) => {
      await item.setStatus('not_listed');
      await item.publish();
      await item.setStatus('not_listed');
    },
    ending: down('not_listed'),
  },
  {
    name: 'ended without a winner and published',
    run: async (item) => {
      await item.endAuction();
      await item.untilEnded();
      await item.publish();
    },
    ending: live(firstPrice, { first: false }),
  },
  {
    name: 'ended without a winner while it is changed',
    run: async (item) => {
      await item.endAuction();
      await item.push({ title: newTitle, price: 140 });
    },
    ending: down('active', 140),
  },
];

const sold: Ending = { item: { service: 'sold', marketplace: 'sold', price: firstPrice }, sales: 1 };

const withBids: readonly Story[] = [
  {
    name: 'prices refused because of bids',
    run: async (item) => {
      await item.bid();
      await item.price(700);
      await item.price(800);
    },
    ending: { ...live(firstPrice, { first: true }), failures: { PRICE_REFUSED_BIDS: [1, 2] } },
  },
  {
    name: 'a title that is kept for the next auction',
    run: async (item) => {
      await item.bid();
      await item.push({ title: newTitle });
    },
    ending: live(firstPrice, { first: true }),
  },
  {
    name: 'a take-down refused because of bids',
    run: async (item) => {
      await item.bid();
      await item.setStatus('not_listed');
    },
    ending: {
      item: { service: 'not_listed', marketplace: 'active', price: firstPrice },
      up: held,
      failures: { TAKEDOWN_REFUSED_BIDS: [1, 1] },
    },
  },
  {
    name: 'created again while bids hold the deleted one',
    run: async (item) => {
      await item.bid();
      await item.remove();
      await item.push({ title: newTitle });
    },
    ending: {
      item: { service: 'active', marketplace: 'pending_sync', price: firstPrice },
      up: held,
      failures: { TAKEDOWN_REFUSED_BIDS: [1, 1] },
    },
  },
  {
    name: 'created again, then the deleted one is won',
    run: async (item) => {
      await item.bid();
      await item.remove();
      await item.push({ title: newTitle });
      await item.endAuction();
    },
    ending: {
      ...live(firstPrice, { title: newTitle, first: false }),
      sales: 1,
      failures: { TAKEDOWN_REFUSED_BIDS: [0, 1] },
    },
  },
  {
    name: 'won, then a price',
    run: async (item) => {
      await item.bid();
      await item.endAuction();
      await item.untilSold();
      await item.price(610);
    },
    ending: { ...sold, item: { service: 'sold', marketplace: 'sold', price: 610 } },
  },
  {
    name: 'won and deleted',
    run: async (item) => {
      await item.bid();
      await item.endAuction();
      await item.remove();
    },
    ending: { ...sold, item: { service: 'archived', marketplace: 'sold', price: firstPrice } },
  },
  {
    name: 'taken down with bids, then won',
    run: async (item) => {
      await item.bid();
      await item.setStatus('not_listed');
      await item.endAuction();
    },
    ending: { ...sold, failures: { TAKEDOWN_REFUSED_BIDS: [0, 1] } },
  },
  {
    name: 'marked as sold, then won',
    run: async (item) => {
      await item.bid();
      await item.setStatus('sold');
      await item.endAuction();
    },
    ending: { ...sold, failures: { TAKEDOWN_REFUSED_BIDS: [0, 1] } },
  },
];

/** 20 lives of items that are live, with every kind of write, and how each has to end whatever is killed meanwhile. */
export const stories: readonly Story[] = [...withoutBids, ...withBids];
