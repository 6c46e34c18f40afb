import test from 'ava';
import { accountId, deliveryId, endpointId } from '../../features/rules/ids.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import {
  findAttemptsOf,
  listRecentAttempts,
  type AttemptFilter,
} from '../../features/webhooks/store/delivery-attempts.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { profileQueries } from '../support/profile-queries.ts';
import { present } from '../support/clock.ts';

const count = 100_000;
const start = present(-24 * 3_600_000).getTime();
const at = (n: number): Date => new Date(start + n * 100);

/** The few that a filter finds are the oldest, so that a walk from the newest would read everything to find them. */
const anAttempt = (n: number) => ({
  _id: `att_${String(n).padStart(6, '0')}`,
  accountId: 'mine',
  deliveryId: n < 5 ? 'dlv_rare' : `dlv_${n}`,
  endpointId: n < 5 ? 'rare' : 'usual',
  eventId: `evt_${n}`,
  externalId: n < 5 ? 'RARE' : `A${n % 1_000}`,
  eventType: n < 5 ? 'item.sold' : n % 20_000 === 7 ? 'listing.failed' : 'item.created',
  attempt: 1,
  status: n < 5 ? 'failed' : 'success',
  errorMessage: null,
  httpStatus: 200,
  durationMs: 5,
  responseStart: '',
  createdAt: at(n),
});

let store: StoreConnection;
test.before('100,000 attempts in a day, five of which are unlike the others', async (t) => {
  t.timeout(120_000);
  store = await openTestStore();
  const rows = store.connection.collection<{ _id: string }>('delivery_attempts');
  for (let n = 0; n < count; n += 10_000)
    await rows.insertMany(Array.from({ length: 10_000 }, (_, k) => anAttempt(n + k)));
});
test.after.always(async () => {
  await closeTestStore(store);
});

const filters: Readonly<Record<string, AttemptFilter>> = {
  none: {},
  endpoint: { endpointId: endpointId('rare') },
  'endpoint that has nearly all': { endpointId: endpointId('usual') },
  'account-level URL': { endpointId: null },
  'endpoint and an event type it seldom gets': { endpointId: endpointId('usual'), eventType: 'listing.failed' },
  'endpoint that has nearly all and never fails': { endpointId: endpointId('usual'), status: 'failed' },
  status: { status: 'failed' },
  'event type': { eventType: 'item.sold' },
  item: { externalId: 'RARE' },
  delivery: { deliveryId: deliveryId('dlv_rare') },
  'a time long ago': { from: at(100), to: at(200) },
  'endpoint and time': { endpointId: endpointId('usual'), from: at(100), to: at(200) },
  'the oldest first': { sort: 'created' },
  'endpoint, the oldest first': { endpointId: endpointId('usual'), sort: 'created' },
  'status and time, where there are none': { status: 'failed', from: at(1_000) },
};

for (const [name, filter] of Object.entries(filters))
  test.serial(`a page of the log costs what the page has, whatever the account has: ${name}`, async (t) => {
    for (const behind of [undefined, { at: at(150), id: 'att_000150' }]) {
      const queries = await profileQueries(store, async () =>
        listRecentAttempts(store, accountId('mine'), { filter, behind, rowsMax: 51 }),
      );
      t.true(queries.length > 0);
      for (const { planSummary = '', docsExamined, keysExamined, hasSortStage = false } of queries) {
        const plan = JSON.stringify({ behind, planSummary, docsExamined, keysExamined, hasSortStage });
        t.false(planSummary.includes('COLLSCAN') || hasSortStage, plan);
        // 22 ranges of an endpoint: each type of event, either status.
        t.true(docsExamined <= 60 && keysExamined <= 60 + 2 * 22, plan);
      }
    }
  });

test.serial('the newest attempts about six items of a hundred each are read without a scan or a sort', async (t) => {
  const externalIds = ['A1', 'A2', 'A3', 'A4', 'A5', 'A6'];
  const [query, ...others] = await profileQueries(store, async () => {
    t.is((await findAttemptsOf(store, accountId('mine'), { externalIds, limit: 5 })).length, 5);
  });
  t.deepEqual(others, []);
  t.false(query?.hasSortStage ?? false);
  t.true((query?.docsExamined ?? Infinity) <= 5 && (query?.keysExamined ?? Infinity) <= 40, JSON.stringify(query));
});
