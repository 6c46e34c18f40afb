import { randomUUID } from 'node:crypto';
import test from 'ava';
import fc from 'fast-check';
import { describeAnalytics } from '../../features/partner/rules/analytics.ts';
import { accountId, itemId, orderId, type AccountId } from '../../features/rules/ids.ts';
import { listingStates, type Item } from '../../features/items/rules/item.ts';
import { IllegalTransition, requireLegalTransition, serviceStatuses } from '../../features/items/rules/transitions.ts';
import { feeOre } from '../../features/orders/rules/commission.ts';
import { moveOrder, orderStates, type OrderState } from '../../features/orders/rules/order.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { readItemCounts } from '../../features/items/store/inventory-counts.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { readOrderSums } from '../../features/orders/store/order-sums.ts';
import { noSteps, writeOrder, type OrderRow } from '../../features/orders/store/orders.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { anItemBeingPublished, noon } from '../support/an-item.ts';
import { expectedAnalytics } from '../support/expected-analytics.ts';
import { withDatabase } from '../support/with-database.ts';
import { checkProperty } from '../support/check-property.ts';

// Random histories of an account's items and orders: after every step the sums that the database makes say to the öre what all rows
// together say.

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

// Twelve names, so that the ten shown are a choice; some would be trouble as the name of a field.
const categories = [
  'Elektronik',
  'Kläder',
  'Övrigt',
  'Reservdel',
  'a.b',
  '$a',
  'a/b',
  'pending',
  '__proto__',
  'x',
  'y',
  '',
];

/** Months meet in Stockholm an hour or two before they do in UTC. */
const moments = fc.oneof(
  fc.date({ min: new Date('2024-06-01T00:00:00Z'), max: new Date('2026-11-21T12:00:00Z'), noInvalidDate: true }),
  fc
    .tuple(fc.integer({ min: 0, max: 30 }), fc.constantFrom(-7_200_001, -7_200_000, -3_600_001, -3_600_000, -1, 0, 1))
    .map(([month, ms]) => new Date(Date.UTC(2024, 5 + month, 1) + ms)),
);
const amounts = fc.oneof(fc.constantFrom(1, 10, 20, 435, 10_000_000_000), fc.integer({ min: 1, max: 5_000_000 }));
const pick = fc.nat({ max: 1_000 });

const steps = fc.oneof(
  fc.record({ kind: fc.constant('push' as const), status: fc.constantFrom(...serviceStatuses) }),
  fc.record({
    kind: fc.constant('change' as const),
    pick,
    status: fc.constantFrom(...serviceStatuses),
    listing: fc.constantFrom(...listingStates),
    isRemoved: fc.boolean(),
    /** From what somebody had read earlier: refused when it has moved on. */
    isStale: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('sell' as const),
    amountOre: amounts,
    category: fc.constantFrom(...categories),
    state: fc.constantFrom(...orderStates),
    at: moments,
  }),
  fc.record({ kind: fc.constant('move' as const), pick, state: fc.constantFrom(...orderStates), at: moments }),
);
type Step = typeof steps extends fc.Arbitrary<infer Value> ? Value : never;

interface Life {
  readonly account: AccountId;
  readonly items: Item[];
  readonly formerItems: Item[];
  readonly orders: OrderRow[];
}

/** Steps that run side by side; most by themselves. */
const histories = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.tuple(steps) },
    { weight: 1, arbitrary: fc.array(steps, { minLength: 2, maxLength: 4 }) },
  ),
  { minLength: 5, maxLength: 25 },
);

// specification: sums-are-exact-at
test('after every step of a random history the sums are those of all rows, to the öre', async (t) => {
  await checkProperty(
    t,
    fc.asyncProperty(histories, moments, async (history, now) => {
      const life: Life = { account: accountId(randomUUID()), items: [], formerItems: [], orders: [] };
      for (const together of history) {
        await Promise.all(together.map((step) => take(life, step)));
        const [counts, sums, expected] = await Promise.all([
          readItemCounts(store, [life.account]),
          readOrderSums(store, [life.account]),
          expectedAnalytics(store, life.account, now),
        ]);
        const shown: object = describeAnalytics(counts, sums, now);
        t.deepEqual(shown, expected);
      }
    }),
    { numRuns: 25 },
  );
});

function take(life: Life, step: Step): Promise<void> {
  switch (step.kind) {
    case 'push':
      return push(life, step);
    case 'change':
      return change(life, step);
    case 'sell':
      return sell(life, step);
    case 'move':
      return move(life, step);
  }
}

type StepOf<Kind extends Step['kind']> = Extract<Step, { readonly kind: Kind }>;

async function push({ account, items }: Life, { status }: StepOf<'push'>): Promise<void> {
  const ids = { id: itemId(randomUUID()), accountId: account, externalId: randomUUID() };
  const item = anItemBeingPublished('drafting', { ...ids, serviceStatus: status });
  if (await createItemStore(store).insert(item)) items.push(item);
}

async function change({ items, formerItems }: Life, step: StepOf<'change'>): Promise<void> {
  const index = step.pick % Math.max(1, items.length);
  const current = items[index];
  const known = step.isStale ? formerItems[step.pick % Math.max(1, formerItems.length)] : current;
  if (known === undefined) return;
  const removedAt = step.isRemoved ? noon : null;
  const listings = known.listings.map((listing) => ({ ...listing, state: step.listing }));
  const next = { ...known, serviceStatus: step.status, listings, removedAt, current: !step.isRemoved };
  if (!isLegal(known, next)) return;
  const stored = await createItemStore(store).replace(known, next);
  if (stored === null) return;
  formerItems.push(known);
  items[items.findIndex(({ id }) => id === stored.id)] = stored;
}

function isLegal(known: Item, next: Item): boolean {
  try {
    requireLegalTransition(known, next);
    return true;
  } catch (error) {
    if (error instanceof IllegalTransition) return false;
    throw error;
  }
}

async function sell({ account, orders }: Life, step: StepOf<'sell'>): Promise<void> {
  const { amountOre, category, state, at } = step;
  const pending: OrderRow = {
    _id: orderId(randomUUID()),
    accountId: account,
    itemId: itemId(randomUUID()),
    externalId: 'A1',
    platform: 'service',
    amountOre,
    feeBps: 500,
    feeOre: feeOre(amountOre, 500),
    domain: 'other',
    category,
    dealId: null,
    commission: null,
    adId: null,
    state: 'pending',
    paidAt: null,
    completedAt: null,
    cancelledAt: null,
    soldAt: at,
    createdAt: at,
    updatedAt: at,
    ...noSteps,
    changedAt: at,
  };
  const after = state === 'pending' ? pending : (moveOrder(pending, state, at) ?? moved(pending, state, at));
  await inTransaction(store, (session) => writeOrder(store, { before: null, after }, session));
  orders.push(after);
}

/** A completed order was paid before. */
const moved = (pending: OrderRow, state: OrderState, at: Date): OrderRow =>
  moveOrder(moveOrder(pending, 'paid', at) ?? pending, state, at) ?? pending;

async function move({ orders }: Life, { pick: at, state, at: now }: StepOf<'move'>): Promise<void> {
  const index = at % Math.max(1, orders.length);
  const before = orders[index];
  const after = before === undefined ? null : moveOrder(before, state, now);
  if (before === undefined || after === null || after === before) return;
  orders[index] = after;
  try {
    await inTransaction(store, (session) => writeOrder(store, { before, after }, session));
  } catch (error) {
    // Two moves of the same order met.
    orders[index] = (await store.connection.collection<OrderRow>('orders').findOne({ _id: before._id })) ?? before;
    if (!(error instanceof Error && /any more/.test(error.message))) throw error;
  }
}
