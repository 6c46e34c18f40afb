import test from 'ava';
import { accountId, deliveryId, endpointId } from '../../../core/ids.ts';
import type { StoreConnection } from '../../../store/database/connection.ts';
import '../../../store/deliveries/deliveries.ts';
import { findAttempt, listRecentAttempts, type AttemptFilter } from '../../../store/deliveries/read-delivery-log.ts';
import { closeTestStore, openTestStore } from '../../support/open-test-store.ts';
import { profileQueries } from '../../store/support/profile-queries.ts';

let store: StoreConnection;
test.before('4,000 attempts of one account, few of them failed or of rare types, and as many of another', async () => {
  store = await openTestStore();
  const rows = ['mine', 'other'].flatMap((account) =>
    Array.from({ length: 4_000 }, (_, number) => anAttempt(account, number)),
  );
  await store.connection.collection<{ _id: string }>('delivery_attempts').insertMany(rows);
});
test.after.always(async () => {
  await closeTestStore(store);
});

const types = ['item.created', 'item.images_ready', 'listing.created'] as const;

/** Within the 30 days: what is older may be gone as soon as it is written. */
const anHourAgo = Date.now() - 3_600_000;

/** The rare ones are the oldest, so that a walk from the newest would read everything to find them. */
const anAttempt = (account: string, number: number) => ({
  _id: `${account}_${number}`,
  accountId: account,
  deliveryId: `dlv_${account}_${Math.floor(number / 4)}`,
  endpointId: number < 20 ? 'rare' : number % 7 === 0 ? null : `endpoint-${number % 5}`,
  eventId: `evt_${number}`,
  externalId: `A${Math.floor(number / 10)}`,
  eventType: number < 20 ? 'item.sold' : (types[number % 3] ?? 'item.created'),
  attempt: 1,
  status: number < 200 ? 'failed' : 'success',
  errorMessage: null,
  httpStatus: 200,
  durationMs: 5,
  createdAt: new Date(anHourAgo + Math.floor(number / 3)),
});

const mine = accountId('mine');
const filters: Record<string, AttemptFilter> = {
  'no filter': {},
  'status failed': { status: 'failed' },
  'status success': { status: 'success' },
  'an endpoint': { endpointId: endpointId('endpoint-1') },
  'an endpoint that was tried long ago': { endpointId: endpointId('rare') },
  'an endpoint and failed': { endpointId: endpointId('endpoint-1'), status: 'failed' },
  'the account-level URL': { endpointId: null },
  'a frequent event type': { eventType: 'item.created' },
  'a rare event type': { eventType: 'item.sold' },
  'a rare event type and failed': { eventType: 'item.sold', status: 'failed' },
  'an item': { externalId: 'A300' },
  'a delivery': { deliveryId: deliveryId('dlv_mine_70') },
  'a delivery of somebody else': { deliveryId: deliveryId('dlv_other_70') },
};

for (const [name, filter] of Object.entries(filters)) {
  // specification: delivery-log-filters-in
  test.serial(`the newest attempts by ${name} are read without a scan, a sort, or a row too many`, async (t) => {
    const wanted = Array.from({ length: 4_000 }, (_, number) => anAttempt('mine', number))
      .filter((row) => Object.entries(filter).every(([key, value]) => row[key as keyof typeof row] === value))
      .sort((one, other) => +other.createdAt - +one.createdAt || (other._id < one._id ? -1 : 1))
      .slice(0, 100)
      .map(({ _id }) => _id);
    const [query, ...others] = await profileQueries(store, async () => {
      const rows = await listRecentAttempts(store, mine, { filter, rowsMax: 100 });
      t.deepEqual(
        rows.map(({ _id }) => _id),
        wanted,
      );
    });
    t.deepEqual(others, []);
    t.regex(query?.planSummary ?? '', /^IXSCAN/);
    t.false(query?.hasSortStage ?? false);
    t.true((query?.docsExamined ?? Infinity) <= 110, `${query?.docsExamined ?? 0} rows`);
  });
}

test.serial('one record is read by its id', async (t) => {
  const queries = await profileQueries(store, () => findAttempt(store, mine, 'mine_7'));
  t.is(queries.length, 2);
  t.true(
    queries.every(
      ({ planSummary, docsExamined }) => /IDHACK|IXSCAN|EXPRESS/.test(planSummary ?? '') && docsExamined <= 1,
    ),
  );
});
