import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, itemId, type AccountId } from '../../features/rules/ids.ts';
import type { Item } from '../../features/items/rules/item.ts';
import type { WaitingFor } from '../../features/items/rules/processing.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { rowFromItem } from '../../features/items/store/item-row.ts';
import {
  connectMarketplace,
  findMarketplaceConnection,
  removeMarketplaceConnection,
} from '../../features/listings/store/marketplace-connections.ts';
import { createMarketplaceWatch } from '../../features/listings/store/marketplace-watch.ts';
import { resumedPerRound, resumeReconnected } from '../../features/listings/marketplace-connection.ts';
import { anItem, later } from '../support/an-item.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';

let store: StoreConnection;

test.beforeEach(async () => {
  store = await openTestStore();
});
test.afterEach.always(async () => {
  await closeTestStore(store);
});

const now = later(0);
const tomorrow = later(86_400_000);

function aWaitingItem(account: AccountId, number: number, waitingFor: WaitingFor = 'marketplace_reconnection'): Item {
  const item = anItem();
  const id = itemId(randomUUID());
  return {
    ...item,
    id,
    accountId: account,
    externalId: `A${number}`,
    revision: 2,
    settledRevision: 1,
    startAt: tomorrow,
    processing: { ...item.processing, waitingFor, since: now, notBefore: tomorrow },
  };
}

async function reconnected(count: number, at = now): Promise<AccountId> {
  const account = accountId(randomUUID());
  const rows = Array.from({ length: count }, (_, number) => rowFromItem(aWaitingItem(account, number)));
  for (let n = 0; n < rows.length; n += 1_000) await itemCollection(store).insertMany(rows.slice(n, n + 1_000));
  await connectMarketplace(store, account, {
    marketplaceUserId: '4711',
    tokenEncrypted: 'x',
    tokenExpiresAt: null,
    now: at,
  });
  return account;
}

const dependencies = () => ({ items: createItemStore(store), watch: createMarketplaceWatch(store), now: () => now });
const isDueNow = { startAt: now } as const;
const dueOf = (account: AccountId) => itemCollection(store).countDocuments({ accountId: account, ...isDueNow });
const resumedCount = (account: AccountId) =>
  itemCollection(store).countDocuments({ accountId: account, startAt: { $lt: tomorrow } });
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const isOwed = async (account: AccountId) => (await findMarketplaceConnection(store, account))?.resumeOwed;

// specification: a-large-account-s
test.serial(
  '1,000 waiting items come due some at a time, each once, and the mark goes when none is left',
  async (t) => {
    const account = await reconnected(1_000);
    let rounds = 0;
    let slowestMs = 0;
    while ((await isOwed(account)) === true) {
      const before = await dueOf(account);
      const begun = performance.now();
      const count = await resumeReconnected(dependencies());
      slowestMs = Math.max(slowestMs, performance.now() - begun);
      rounds += 1;
      t.true(count <= resumedPerRound);
      t.is(await dueOf(account), before + count);
    }
    t.is(await dueOf(account), 1_000);
    t.is(rounds, Math.floor(1_000 / resumedPerRound) + 1);
    t.log(`${rounds} rounds, the slowest took ${slowestMs.toFixed(0)} ms`);
  },
);

// specification: a-large-account-s
test.serial(
  'accounts that reconnect at the same time share a round: a small one is done beside a large one',
  async (t) => {
    const [large, small] = [await reconnected(200), await reconnected(3)];
    await resumeReconnected(dependencies());
    t.deepEqual([await dueOf(large), await dueOf(small)], [resumedPerRound / 2, 3]);
    t.deepEqual([await isOwed(large), await isOwed(small)], [true, false]);
  },
);

test.serial(
  'more accounts than a round has items take turns: no round exceeds its items, nobody waits for the others to be done',
  async (t) => {
    const accounts: AccountId[] = [];
    const count = resumedPerRound + 15;
    for (let n = 0; n < count; n += 1) accounts.push(await reconnected(2, later(n - 1_000)));
    const resumedOf = () => Promise.all(accounts.map((account) => resumedCount(account)));
    let clock = 0;
    const ticking = { ...dependencies(), now: () => later((clock += 1)) };
    for (let round = 1; round <= 3; round += 1) {
      t.true((await resumeReconnected(ticking)) <= resumedPerRound);
      const had = await resumedOf();
      t.is(sum(had), round * resumedPerRound);
      t.true(Math.max(...had) - Math.min(...had) <= 1, `after round ${round} nobody is two ahead`);
      if (round === 1) t.is(had.lastIndexOf(1), resumedPerRound - 1, 'who is owed longest comes first');
    }
    // Two rounds more find nothing left to do, and say so.
    for (const _ of [4, 5]) await resumeReconnected(ticking);
    t.deepEqual(new Set(await Promise.all(accounts.map(isOwed))), new Set([false]));
  },
);

// specification: a-worker-that-dies
test.serial('a worker that dies between making items due and clearing the mark is made good for', async (t) => {
  const account = await reconnected(2);
  const { watch, ...rest } = dependencies();
  const dies = { ...watch, clearResumeOwed: () => Promise.reject(new Error('killed')) };
  await t.throwsAsync(resumeReconnected({ ...rest, watch: dies }), { message: 'killed' });
  t.true(await isOwed(account));
  await resumeReconnected(dependencies());
  t.deepEqual([await dueOf(account), await isOwed(account)], [2, false]);
});

test.serial(
  'a token that expires again while its items are resumed stops that; the next connection goes on',
  async (t) => {
    const account = await reconnected(resumedPerRound + 5);
    const { watch, ...rest } = dependencies();
    await resumeReconnected({ watch, ...rest });
    await watch.markExpired(account, 'x', now);
    t.is(await resumeReconnected({ watch, ...rest }), 0);
    t.is(await dueOf(account), resumedPerRound);
    await connectMarketplace(store, account, {
      marketplaceUserId: '4711',
      tokenEncrypted: 'y',
      tokenExpiresAt: null,
      now,
    });
    t.is(await resumeReconnected({ watch, ...rest }), 5);
  },
);

test.serial(
  'a connection that ends has the items whose reason is no longer true look again, once, and no others',
  async (t) => {
    const ends = [
      ['marketplace_connection', (account) => dependencies().watch.markExpired(account, 'x', now)],
      ['marketplace_reconnection', (account) => removeMarketplaceConnection(store, account, { now })],
    ] as const satisfies readonly (readonly [WaitingFor, (account: AccountId) => Promise<unknown>])[];
    for (const [stale, end] of ends) {
      const account = accountId(randomUUID());
      const items = ends.map(([reason], number) => aWaitingItem(account, number, reason));
      await itemCollection(store).insertMany(items.map(rowFromItem));
      await connectMarketplace(store, account, {
        marketplaceUserId: '4711',
        tokenEncrypted: 'x',
        tokenExpiresAt: null,
        now,
      });
      await end(account);
      t.is(await resumeReconnected(dependencies()), 1);
      const due = await itemCollection(store).findOne({ accountId: account, ...isDueNow });
      t.is(due?.processing.waitingFor, stale);
      t.is(await resumeReconnected(dependencies()), 0);
      t.false(await isOwed(account));
    }
  },
);
