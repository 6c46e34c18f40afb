import test from 'ava';
import { accountId, itemId, orderId } from '../../features/rules/ids.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { listAttemptsAbout, type AboutMembersFilter } from '../../features/webhooks/store/attempts-about-members.ts';
import { attemptRows } from '../../features/webhooks/store/delivery-attempts.ts';
import { rowFromItem } from '../../features/items/store/item-row.ts';
import { listItemsOfAccounts, type AccountsItemFilter } from '../../features/items/store/items-of-accounts.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { listOrdersOfAccounts } from '../../features/orders/store/orders-of-accounts.ts';
import { orderRows } from '../../features/orders/store/orders.ts';
import { anItem, later } from '../support/an-item.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { profileQueries, type ProfiledQuery } from '../support/profile-queries.ts';

const members = Array.from({ length: 2_000 }, (_, n) => accountId(`member-${String(n).padStart(4, '0')}`));
/** One member has as many items and orders as all others would have to look through. */
const large = 20_000;
const limit = 51;
const reseller = accountId('reseller');
let store: StoreConnection;

test.before('2,000 members with an item and an order each, and one with 20,000 more', async (t) => {
  t.timeout(180_000);
  store = await openTestStore();
  const template = rowFromItem(anItem());
  const owners = [...members, ...Array.from({ length: large }, () => members[7] ?? accountId('none'))];
  const items = owners.map((account, n) => ({
    ...template,
    _id: itemId(`item-${String(n).padStart(6, '0')}`),
    accountId: account,
    externalId: `A${n}`,
    createdAt: later(n),
    changedAt: later(n),
    serviceStatus: n === 3 ? 'sold' : 'draft',
    // Of the one with 20,000 items half have a problem.
    blockedReason: n % 2 === 0 ? (n % 4 === 0 ? 'given_up' : 'images') : null,
  }));
  const orders = owners.map((account, n) => ({
    _id: orderId(`ord_${String(n).padStart(6, '0')}`),
    accountId: account,
    externalId: `A${n}`,
    state: n === 3 ? 'cancelled' : 'paid',
    createdAt: later(n),
    changedAt: later(n),
  }));
  const attempts = owners.map((account, n) => ({
    _id: `att_${String(n).padStart(6, '0')}`,
    accountId: reseller,
    aboutAccountId: account,
    externalId: `A${n}`,
    endpointId: 'e',
    eventType: 'item.created',
    status: n === 3 ? 'failed' : 'success',
    createdAt: later(n),
  }));
  for (let n = 0; n < items.length; n += 5_000) {
    await attemptRows(store).insertMany(attempts.slice(n, n + 5_000) as never);
    await itemCollection(store).insertMany(items.slice(n, n + 5_000) as never);
    await orderRows(store).collection.insertMany(orders.slice(n, n + 5_000) as never);
  }
});
test.after.always(async () => {
  await closeTestStore(store);
});

/** Seeks of a few keys for each member and the rows of the page for each query, whatever the members have. */
function checkPlans(t: { true: (is: boolean, text: string) => void }, queries: readonly ProfiledQuery[]): void {
  t.true(queries.length > 0, 'no query');
  for (const { planSummary = '', docsExamined, keysExamined, hasSortStage = false } of queries) {
    const plan = JSON.stringify({ planSummary, docsExamined, keysExamined, hasSortStage });
    // The few items of one external id are sorted when they are found.
    t.true(planSummary.startsWith('IXSCAN') && (!hasSortStage || planSummary.includes('externalId: 1')), plan);
    t.true(docsExamined <= 200 + limit && keysExamined <= 200 * 3 + limit, plan);
  }
}

const none = { serviceStatus: undefined, marketplaceStatus: undefined, externalId: undefined, problem: undefined };
const filters: Readonly<Record<string, AccountsItemFilter>> = {
  none,
  'a status that one has': { ...none, serviceStatus: 'sold' },
  'an external id': { ...none, externalId: 'A3' },
  'a problem': { ...none, problem: 'given_up' },
  'a problem that none has': { ...none, problem: 'operator' },
  'any problem': { ...none, problem: 'any' },
};
const places = [null, { at: later(10_000), id: 'item-010000' }];

for (const [name, filter] of Object.entries(filters))
  test.serial(
    `a page of the items of 2,000 members costs seeks for each of them, not their items: ${name}`,
    async (t) => {
      for (const behind of places)
        checkPlans(
          t,
          await profileQueries(store, async () => listItemsOfAccounts(store, members, { filter, behind, limit })),
        );
    },
  );

for (const filter of [{}, { status: 'cancelled' }, { externalId: 'A3' }, { from: later(5), to: later(50) }] as const)
  test.serial(`a page of the orders of 2,000 members likewise: ${JSON.stringify(filter)}`, async (t) => {
    for (const behind of places)
      checkPlans(
        t,
        await profileQueries(store, async () => listOrdersOfAccounts(store, members, { filter, behind, limit })),
      );
  });

const noneOfAttempts = { status: undefined, externalId: undefined, from: undefined, to: undefined };
const attemptFilters: Readonly<Record<string, AboutMembersFilter>> = {
  none: noneOfAttempts,
  'a status that one has': { ...noneOfAttempts, status: 'failed' },
  'an external id': { ...noneOfAttempts, externalId: 'A3' },
  'a time': { ...noneOfAttempts, from: later(5), to: later(50) },
};
for (const [name, filter] of Object.entries(attemptFilters))
  for (const some of [members, members.slice(7, 8)])
    test.serial(`a page of the attempts about ${some.length} members likewise: ${name}`, async (t) => {
      for (const behind of places)
        checkPlans(
          t,
          await profileQueries(store, async () =>
            listAttemptsAbout(store, { reseller, members: some }, { filter, behind, limit }),
          ),
        );
    });

test.serial('the newest of all members come first', async (t) => {
  const found = await listItemsOfAccounts(store, members, { filter: none, behind: null, limit: 3 });
  t.deepEqual(
    found.map(({ externalId }) => externalId),
    [21_999, 21_998, 21_997].map((n) => `A${n}`),
  );
});
