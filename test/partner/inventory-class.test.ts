import test from 'ava';
import { inventoryClass, type InventoryClass } from '../../features/partner/rules/inventory-class.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { anItem, anItemBeingPublished, aLiveItem, noon } from '../support/an-item.ts';

const cases: readonly (readonly [string, Item, InventoryClass])[] = [
  ['a draft that waits for its images', anItem({ serviceStatus: 'draft' }), 'draft'],
  ['an item on the service', anItem({ serviceStatus: 'active' }), 'active'],
  ['an item on the service and in an auction (once)', aLiveItem({ serviceStatus: 'active' }), 'active'],
  ['an item taken down', anItem({ serviceStatus: 'not_listed' }), 'not_listed'],
  [
    'an item taken down whose auction bids hold',
    aLiveItem({ serviceStatus: 'not_listed', marketplaceStatus: 'sync_error' }),
    'active',
  ],
  [
    'an item whose auction is being taken down',
    anItemBeingPublished('leaving', { serviceStatus: 'not_listed' }),
    'active',
  ],
  [
    'an item whose auction was never surely up',
    anItemBeingPublished('committing', { serviceStatus: 'not_listed' }),
    'not_listed',
  ],
  ['an item whose auction is over', anItemBeingPublished('ended', { serviceStatus: 'not_listed' }), 'not_listed'],
  ['a draft with an auction that still runs', aLiveItem({ serviceStatus: 'draft' }), 'active'],
  ['a sold item', anItem({ serviceStatus: 'sold' }), 'sold'],
  ['an item sold elsewhere whose auction bids hold', aLiveItem({ serviceStatus: 'sold' }), 'sold'],
  ['an archived item', anItem({ serviceStatus: 'archived', current: false }), 'archived'],
  ['a removed item', anItem({ current: false, removedAt: noon }), 'none'],
  ['a removed item whose auction is not down yet', aLiveItem({ current: false, removedAt: noon }), 'none'],
];

for (const [what, item, expected] of cases)
  // specification: inventory-active-live-on, inventory-draft-sold-archived
  test(`${what} counts as ${expected}`, (t) => {
    t.is(inventoryClass(item), expected);
  });
