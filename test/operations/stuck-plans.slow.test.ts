import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, itemId } from '../../features/rules/ids.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { findMembersCalled } from '../../features/resellers/store/member-connections.ts';
import { listUnfinishedBulkSyncs } from '../../features/bulk-syncs/store/bulk-syncs.ts';
import {
  countOverdue,
  countStuckItems,
  findByExternalId,
  listStuckItems,
} from '../../features/operations/store/stuck-rows.ts';
import { listTroubles } from '../../features/webhooks/store/receiver-state.ts';
import type { WaitingFor } from '../../features/items/rules/processing.ts';
import { findAccountMeant } from '../../features/operations/find-account.ts';
import { anItem, later, noon } from '../support/an-item.ts';
import { withDatabase } from '../support/with-database.ts';
import { storeAsIs } from '../support/store-as-is.ts';

const [one, other] = [accountId(randomUUID()), accountId(randomUUID())];
let store: StoreConnection;
withDatabase(test, async (opened) => {
  store = opened;
  for (let n = 0; n < 300; n += 1) await storeAsIs(store, itemInTrouble(n));
});

/** Every tenth is in trouble, by turns for two reasons and of two accounts; the higher its number, the longer. */
function itemInTrouble(n: number) {
  const item = anItem({
    id: itemId(randomUUID()),
    externalId: `A${n}`,
    accountId: n % 20 === 0 ? one : other,
    settledRevision: 1,
  });
  const waitingFor: WaitingFor = n % 30 === 0 ? 'images' : 'marketplace';
  return n % 10 === 0 ? { ...item, processing: { ...item.processing, waitingFor, since: later(-n * 1_000) } } : item;
}

const before = noon;

test('items in trouble are counted by reason, with the oldest of each', async (t) => {
  t.deepEqual(await countStuckItems(store, { before }), [
    { reason: 'marketplace', count: 20, oldest: later(-290_000) },
    { reason: 'images', count: 10, oldest: later(-270_000) },
  ]);
  t.deepEqual(
    (await countStuckItems(store, { before, account: one })).map(({ count }) => count),
    [10, 5],
  );
  t.deepEqual(
    (await countStuckItems(store, { before: later(-200_000), reasons: ['images'] })).map(({ count }) => count),
    [3],
  );
});

test('they are listed page by page, the longest in trouble first, each once', async (t) => {
  const query = { before, reasons: ['images', 'marketplace'] };
  const seen: string[] = [];
  let page = await listStuckItems(store, query, { limit: 7 });
  while (page.length > 0) {
    seen.push(...page.map(({ externalId }) => externalId));
    page = await listStuckItems(store, { ...query, after: page.at(-1) ?? null }, { limit: 7 });
  }
  const [counted] = await countStuckItems(store, {
    before,
    reasons: ['images'],
    after: { since: later(-240_000), itemId: itemId('~') },
  });
  t.is(counted?.count, 8, 'a run that broke off after the two longest has the others left');
  t.deepEqual(
    seen,
    Array.from({ length: 30 }, (_, n) => `A${(29 - n) * 10}`),
  );
});

test('an external id is found over accounts', async (t) => {
  t.is((await findByExternalId(store, 'A20', [one, other])).length, 1);
  t.deepEqual(await findByExternalId(store, 'nobody', [one, other]), []);
});

test('the few receivers in trouble of one account are found behind the many of others', async (t) => {
  for (const n of [1, 2, 3, 4]) {
    const account = n === 1 ? one : other;
    const row = {
      _id: `endpoint-${n}`,
      accountId: account,
      active: n > 2,
      troubleSince: later(-10_000 + n * 1_000),
    };
    await store.connection.collection<{ _id: string }>('webhook_endpoints').insertOne(row);
  }
  const namesOf = async (about: Partial<Parameters<typeof listTroubles>[1]>): Promise<string[]> =>
    (await listTroubles(store, { before, limit: 2, ...about })).map(({ target }) => target);
  t.deepEqual(await namesOf({ account: one }), ['endpoint-1']);
  t.deepEqual(await namesOf({}), ['endpoint-1', 'endpoint-2'], 'the longest first');
  t.deepEqual(await namesOf({ before: later(-9_500) }), []);
  t.deepEqual(await namesOf({ active: true }), ['endpoint-3', 'endpoint-4'], 'behind disabled ones');
  t.deepEqual(await namesOf({ active: false, account: other }), ['endpoint-2']);
});

test('an account that there is not is refused', async (t) => {
  await t.throwsAsync(findAccountMeant(store, { account: randomUUID() }), { message: /no account/ });
});

interface ProfiledQuery {
  readonly ns: string;
  readonly planSummary?: string;
  readonly docsExamined?: number;
  readonly hasSortStage?: boolean;
  readonly command: Readonly<Record<string, unknown>>;
}

// specification: what-operators-ask-is
test.serial('nothing that operators ask scans a collection, and counts read no document', async (t) => {
  const database = store.connection.db;
  if (database === undefined) throw new Error('not connected');
  await database.command({ profile: 2 });
  await countStuckItems(store, { before });
  await countStuckItems(store, { before, account: one });
  await listStuckItems(store, { before, reasons: ['images', 'marketplace'] }, { limit: 5 });
  await listStuckItems(store, { before, reasons: ['images'], account: one }, { limit: 5 });
  await countOverdue(store, noon);
  await listTroubles(store, { before, limit: 5 });
  await listTroubles(store, { before, account: one, limit: 5 });
  await listUnfinishedBulkSyncs(store, { before, limit: 5 });
  await findMembersCalled(store, 'KUND-7');
  await findByExternalId(store, 'A20', [one, other]);
  await database.command({ profile: 0 });
  const queries = await database
    .collection<ProfiledQuery>('system.profile')
    .find({ op: { $in: ['query', 'command'] }, planSummary: { $exists: true } })
    .toArray();
  t.true(queries.length >= 10, String(queries.length));
  for (const { planSummary, command, docsExamined, hasSortStage } of queries) {
    const told = `${planSummary ?? ''} ${JSON.stringify(command)}`;
    t.notRegex(planSummary ?? '', /COLLSCAN/, told);
    if (command['aggregate'] === 'items') t.is(docsExamined, 0, told);
    if (command['find'] === 'items') t.not(hasSortStage, true, told);
  }
});
