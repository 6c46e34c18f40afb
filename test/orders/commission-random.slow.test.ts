import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { accountId, orderId, type AccountId, type OrderId } from '../../features/rules/ids.ts';
import type { Scope } from '../../features/rules/scope.ts';
import { Refusal } from '../../features/rules/errors.ts';
import { moveOrder, orderStates, voidOrder } from '../../features/orders/rules/order.ts';
import { findOrder, writeOrder, type OrderRow } from '../../features/orders/store/orders.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { insertSales } from '../../features/orders/store/sales.ts';
import { connectMember } from '../../features/resellers/connect-member.ts';
import { disconnectMember } from '../../features/resellers/leave-reseller.ts';
import { grantResellerAgreement, revokeResellerAgreement } from '../../features/resellers/agreements.ts';
import { confirmCommission, readMyDeal, type Commission } from '../../features/resellers/read-my-deal.ts';
import { anItem } from '../support/an-item.ts';
import { Died, dyingStore } from '../support/dying-store.ts';
import { expectedCommission, requireFirstFit } from '../support/expected-commission.ts';
import { withDatabase } from '../support/with-database.ts';
import { checkProperty } from '../support/check-property.ts';

// Random histories of two resellers and their members: agreements that are granted, changed and ended, members that come and go, sales
// that are stored long after they were made, by processes that die, and orders that move. After every step each reseller owes to the
// öre what all orders and all versions of all deals say.

const store = withDatabase(test);

const reseller = fc.nat({ max: 1 });
const member = fc.nat({ max: 2 });
const amountOre = fc.oneof(
  fc.constantFrom(1, 10, 199, 200, 6_000_000, 10_000_000_000),
  fc.integer({ min: 1, max: 5_000_000 }),
);
/** Before the how many-th command of a transaction its process dies; null: never. */
const diesAt = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 6 }) },
);

const steps = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('grant' as const), reseller, bps: fc.nat({ max: 10_000 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke' as const), reseller, diesAt }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('join' as const), reseller, member, diesAt }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), member, diesAt }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('sell' as const),
      member,
      amountOre,
      diesAt,
      isPaid: fc.constantFrom(true, true, false),
      /** Stored so long after the sale. */
      lateMs: fc.integer({ min: 1, max: 5_000 }),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      pick: fc.nat({ max: 1_000 }),
      diesAt,
      state: fc.oneof(fc.constantFrom(...orderStates), fc.constant('completed' as const)),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('confirm' as const), reseller, member, diesAt }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('void' as const), pick: fc.nat({ max: 1_000 }), diesAt }) },
);
type Step = typeof steps extends fc.Arbitrary<infer Value> ? Value : never;

/** Steps that run side by side; most by themselves. */
const histories = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.tuple(steps) },
    { weight: 1, arbitrary: fc.array(steps, { minLength: 2, maxLength: 4 }) },
  ),
  { minLength: 15, maxLength: 40 },
);

class Life {
  readonly resellers = [accountId(randomUUID()), accountId(randomUUID())];
  readonly members = [accountId(randomUUID()), accountId(randomUUID()), accountId(randomUUID())];
  readonly orders: { readonly member: AccountId; readonly id: OrderId }[] = [];
  nowMs = Date.parse('2026-11-21T12:00:00Z');
  isVoided = false;

  readonly now = (): Date => new Date(this.nowMs);

  async begin(): Promise<void> {
    const rows = [...this.resellers, ...this.members].map((id) => ({ _id: id, email: `${id}@example.se`, name: 'X' }));
    await store().connection.collection<(typeof rows)[number]>('accounts').insertMany(rows);
  }

  async take(step: Step): Promise<void> {
    try {
      await this.#do(step);
    } catch (error) {
      if (!(error instanceof Died) && !(error instanceof Refusal)) throw error;
    }
  }

  async #do(step: Step): Promise<void> {
    const memberId = 'member' in step ? this.#memberAt(step.member) : accountId('');
    const resellerId = 'reseller' in step ? this.#resellerAt(step.reseller) : accountId('');
    const used = 'diesAt' in step && step.diesAt !== null ? dyingStore(store(), step.diesAt) : store();
    const confirmCredential = (): Promise<void> => Promise.resolve();
    const context = { store: used, now: this.now, newId: randomUUID, confirmCredential };
    const email = `${resellerId}@example.se`;
    switch (step.kind) {
      case 'grant':
        await grantResellerAgreement(context, { email, commissionBps: step.bps, slug: resellerId });
        return;
      case 'revoke':
        await revokeResellerAgreement(context, email);
        return;
      case 'join':
        await connectMember(context, scopeOf(memberId), { slug: resellerId });
        return;
      case 'leave':
        return disconnectMember(context, scopeOf(memberId));
      case 'sell':
        return this.#sell(memberId, step, used);
      case 'move':
        return this.#write(step, used, (order) => moveOrder(order, step.state, this.now()));
      case 'void':
        this.isVoided = true;
        return this.#write(step, used, (order) => voidOrder(order, this.now()));
      case 'confirm':
        return this.confirm(resellerId, memberId, used);
    }
  }

  #sell(of: AccountId, sale: Extract<Step, { kind: 'sell' }>, used: ReturnType<typeof store>): Promise<void> {
    const id = orderId(`ord_${randomUUID()}`);
    this.orders.push({ member: of, id });
    const { amountOre, isPaid, lateMs } = sale;
    const soldAt = new Date(this.nowMs - lateMs);
    const what = { platform: 'service', domain: 'other', adId: null, feeBps: 500 } as const;
    const sold = { orderId: id, ...what, soldAt, amountOre, isPaid };
    return inTransaction(used, (session) =>
      insertSales(used, [{ next: anItem({ accountId: of }), sales: [sold] }], {
        now: this.now(),
        isRepeated: true,
        session,
      }),
    );
  }

  /** All that waits of a member, if anything does. */
  async confirm(of: AccountId, memberUserId: AccountId, used = store()): Promise<void> {
    const { commission } = await readMyDeal({ store: store() }, scopeOf(of));
    const shown = commission?.waiting.members.find((row) => row.memberUserId === memberUserId);
    const context = { store: used, now: this.now, confirmCredential: () => Promise.resolve() };
    if (shown !== undefined) await confirmCommission(context, scopeOf(of), shown);
  }

  #write(
    { pick }: { readonly pick: number },
    used: ReturnType<typeof store>,
    change: (before: OrderRow) => OrderRow | null,
  ): Promise<void> {
    const order = this.orders[pick % Math.max(1, this.orders.length)];
    if (order === undefined) return Promise.resolve();
    return inTransaction(used, async (session) => {
      const before = await findOrder(used, order.member, { orderId: order.id, session });
      const after = before === null ? null : change(before);
      if (before !== null && after !== null && after !== before) await writeOrder(used, { before, after }, session);
    });
  }
  #memberAt(index: number): AccountId {
    return this.members[index] ?? accountId('');
  }

  #resellerAt(index: number): AccountId {
    return this.resellers[index] ?? accountId('');
  }
}

const scopeOf = (id: AccountId): Scope => ({ accountId: id, actingAccountId: id, credential: { kind: 'system' } });

interface DealLine {
  readonly _id: string;
  readonly current: boolean;
  readonly validTo: Date | null;
}

const dealsOf = (accounts: readonly AccountId[]): Promise<DealLine[]> =>
  store()
    .connection.collection<DealLine & { accountId: string }>('deals')
    .find({ accountId: { $in: [...accounts] } })
    .toArray();

/** What was a version stays one, word for word; only its end may have come, once. */
function requireUnedited(before: readonly DealLine[], after: readonly DealLine[]): void {
  const now = new Map(after.map((deal) => [deal._id, JSON.stringify(deal)]));
  for (const deal of before) {
    const later = after.find(({ _id }) => _id === deal._id);
    const ended = deal.current && later?.current === false ? { current: false, validTo: later.validTo } : {};
    if (now.get(deal._id) !== JSON.stringify({ ...deal, ...ended })) throw new Error(`${deal._id} was edited`);
    if (!deal.current && deal.validTo === null) throw new Error(`${deal._id} is over but does not say since when`);
  }
}

/** The names are not of the sums. */
const withoutNames = ({ waiting, ...owed }: Commission): object => {
  const plain = <Sums extends Pick<Commission, 'members'>>({ members, ...sums }: Sums) => ({
    ...sums,
    members: members.map(({ memberName: _memberName, ...sum }) => sum),
  });
  return { ...plain(owed), waiting: plain(waiting) };
};

/** A member has a row of membership and a deal with a reseller that has an agreement: all three or none. */
async function requireLinks(life: Life): Promise<void> {
  const connections = await store()
    .connection.collection<{ memberAccountId: string; resellerAccountId: string }>('member_connections')
    .find({ memberAccountId: { $in: life.members } })
    .toArray();
  const links = connections.map(({ memberAccountId, resellerAccountId }) => `${memberAccountId} ${resellerAccountId}`);
  const shown = await Promise.all(
    life.members.map(async (id) => ({ id, ...(await readMyDeal({ store: store() }, scopeOf(id))) })),
  );
  const deals = shown.filter(({ kind }) => kind === 'sub_account').map((of) => `${of.id} ${of.reseller?.userId ?? ''}`);
  if (links.toSorted().join() !== deals.toSorted().join())
    throw new Error(`links ${links.join()} deals ${deals.join()}`);
  for (const { resellerAccountId } of connections) {
    const { kind } = await readMyDeal({ store: store() }, scopeOf(accountId(resellerAccountId)));
    if (kind !== 'reseller_agreement') throw new Error(`${resellerAccountId} has members but no agreement`);
  }
}

/** Else most histories would have no reseller that owes anything, and no order that waits. */
async function beginWithSales(): Promise<Life> {
  const life = new Life();
  await life.begin();
  await life.take({ kind: 'grant', reseller: 0, bps: 250 });
  life.nowMs += 10;
  for (const who of [0, 1]) await life.take({ kind: 'join', reseller: 0, member: who, diesAt: null });
  life.nowMs += 5_000;
  for (const who of [0, 1, 0, 1, 2])
    await life.take({ kind: 'sell', member: who, amountOre: 1_990, isPaid: true, lateMs: 1, diesAt: null });
  // Of two such orders of one member the second waits.
  for (const pick of [0, 1]) {
    await life.take({ kind: 'sell', member: 0, amountOre: 6_000_000, isPaid: true, lateMs: 1, diesAt: null });
    await life.take({ kind: 'move', pick: 5 + pick, state: 'completed', diesAt: null });
  }
  return life;
}

async function requireRightSums(t: ExecutionContext, life: Life): Promise<void> {
  for (const id of life.resellers) {
    const expected = await expectedCommission(store(), id);
    const { kind, commission } = await readMyDeal({ store: store() }, scopeOf(id));
    if (kind === 'reseller_agreement' || expected.orders + expected.waiting.orders > 0)
      t.deepEqual<object | null, object | null>(commission && withoutNames(commission), expected);
    else t.is(commission, null);
  }
  await requireFirstFit(store(), life);
}

/** Whatever became of the orders, what is shown as waiting can be confirmed. Returns how many orders waited. */
async function confirmAll(life: Life): Promise<number> {
  let waited = 0;
  for (const of of life.resellers) {
    const { commission } = await readMyDeal({ store: store() }, scopeOf(of));
    waited += commission?.waiting.orders ?? 0;
    for (const who of life.members) await life.confirm(of, who);
  }
  return waited;
}

// specification: deals-are-versioned-and, commissionbps-applied-to-the
test('after every step of a random history resellers owe what orders and deals say, to the öre', async (t) => {
  let [completed, owing, waits] = [0, 0, 0];
  await checkProperty(
    t,
    fc.asyncProperty(histories, async (history) => {
      const life = await beginWithSales();
      for (const together of history) {
        const before = await dealsOf([...life.resellers, ...life.members]);
        await Promise.all(together.map((step) => life.take(step)));
        requireUnedited(before, await dealsOf([...life.resellers, ...life.members]));
        await requireLinks(life);
        await requireRightSums(t, life);
        life.nowMs += 1_000;
      }
      waits += await confirmAll(life);
      await requireRightSums(t, life);
      for (const id of life.resellers) {
        const { orders, waiting } = await expectedCommission(store(), id);
        t.is(waiting.orders, 0);
        owing += orders;
      }
      completed += await store()
        .connection.collection('orders')
        .countDocuments({ accountId: { $in: life.members }, state: 'completed' });
      await store().connection.collection('orders').deleteMany({});
      await store().connection.collection('deals').deleteMany({});
    }),
    { numRuns: 10 },
  );
  t.log(`${completed} completed orders, ${owing} that owe commission, ${waits} that waited`);
});
