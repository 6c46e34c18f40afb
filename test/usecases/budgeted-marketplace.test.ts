import test from 'ava';
import { accountId } from '../../core/ids.ts';
import { callsOfPublication, type CallDecision, type CallMethod } from '../../core/listings/call-budget.ts';
import { MarketplaceError } from '../../gateways/marketplace/port.ts';
import { Secret } from '../../security/secret.ts';
import {
  budgetedMarketplace,
  type CallBudget,
  type CallClaim,
  type Marketplace,
} from '../../usecases/listings/budgeted-marketplace.ts';
import { aDraft, someChanges, startingAt } from '../gateways/support/marketplace-double.ts';

const now = new Date('2026-11-21T12:00:00Z');
const account = accountId('11111111-1111-4111-8111-111111111111');
const seller = { accountId: account, marketplaceUserId: '77', isSandbox: false, token: new Secret('token') };

/** A marketplace that notes its calls, and a budget that notes what is taken from it. */
function setUp(options: { decision?: CallDecision; fail?: MarketplaceError } = {}) {
  const log: unknown[] = [];
  const decision = options.decision ?? { kind: 'granted' };
  const note =
    <Result>(name: string, result: Result) =>
    (): Promise<Result> => {
      log.push(name);
      return options.fail === undefined ? Promise.resolve(result) : Promise.reject(options.fail);
    };
  const marketplace: Marketplace = {
    createDraft: note('createDraft', { requestId: '1', adId: '2' }),
    addImage: note('addImage', undefined),
    commit: note('commit', undefined),
    readOutcome: note('readOutcome', { kind: 'unknown_yet' } as const),
    findByOwnReference: note('findByOwnReference', []),
    revise: note('revise', { requestId: '3' }),
    setPrices: note('setPrices', { requestId: '4' }),
    readChange: note('readChange', { kind: 'taken', imagesRefused: false } as const),
    remove: note('remove', 'removed' as const),
    feedRowsMax: 500,
    readUpdatedItems: note('readUpdatedItems', []),
    readTransactions: note('readTransactions', []),
    readOrders: note('readOrders', []),
    markShipped: note('markShipped', undefined),
  };
  const noteClaim = (what: string, claim: CallClaim): CallDecision => {
    log.push([what, claim.purpose, claim.calls]);
    return decision;
  };
  const budget: CallBudget = {
    take: (claim) => Promise.resolve(noteClaim('take', claim)),
    check: (claim) => Promise.resolve(noteClaim('check', claim)),
    giveBack: (claim) => Promise.resolve(void noteClaim('giveBack', claim)),
    learnExhausted: (method: CallMethod, retryAfterMs) =>
      Promise.resolve(void log.push(['learn', method, retryAfterMs])),
    readUse: () => Promise.resolve({ callsPerDay: null, methods: [] }),
  };
  return { budgeted: budgetedMarketplace(marketplace, { budget, now: () => now }), log };
}

test('every call is taken from its own method and for its own purpose, before it is made', async (t) => {
  const { budgeted, log } = setUp();
  await budgeted.createDraft(seller, aDraft());
  await budgeted.addImage(seller, '1', Buffer.alloc(1));
  await budgeted.commit(seller, '1');
  await budgeted.readOutcome(seller, { requestId: '1', adId: '2' });
  await budgeted.findByOwnReference(seller, 'item-1:1');
  await budgeted.setPrices(seller, '2', startingAt(500));
  await budgeted.readChange(seller, '4');
  await budgeted.remove(seller, '2');
  await budgeted.readUpdatedItems(seller, now);
  await budgeted.readTransactions(seller, now);
  await budgeted.readOrders(seller, now);
  await budgeted.markShipped(seller, '7');
  const expected: [string, string, object][] = [
    ['createDraft', 'publish', { create: 1 }],
    ['addImage', 'publish', { image: 1 }],
    ['commit', 'publish', { commit: 1 }],
    ['readOutcome', 'publish', { results: 1 }],
    ['findByOwnReference', 'publish', { seller_items: 1 }],
    ['setPrices', 'revise', { price: 1 }],
    ['readChange', 'revise', { results: 1 }],
    ['remove', 'take_down', { remove: 1 }],
    ['readUpdatedItems', 'feed', { updated_items: 1 }],
    ['readTransactions', 'feed', { transactions: 1 }],
    ['readOrders', 'feed', { orders: 1 }],
    ['markShipped', 'feed', { ship: 1 }],
  ];
  t.deepEqual(
    log,
    expected.flatMap(([name, purpose, calls]) => [['take', purpose, calls], name]),
  );
});

test('a revision takes all that its pictures need at once', async (t) => {
  const { budgeted, log } = setUp();
  await budgeted.revise(seller, '2', someChanges());
  await budgeted.revise(seller, '2', someChanges({ jpegs: [Buffer.alloc(1), Buffer.alloc(1)] }));
  t.deepEqual(log, [
    ['take', 'revise', { revise: 1 }],
    'revise',
    ['take', 'revise', { image: 2, commit: 1, revise: 1 }],
    'revise',
  ]);
});

test('without budget nothing is called, and the error says when to come back', async (t) => {
  const { budgeted, log } = setUp({ decision: { kind: 'wait', until: new Date(now.getTime() + 90_000) } });
  const works = [
    budgeted.commit(seller, '1'),
    budgeted.ensure(seller, callsOfPublication(3)),
    budgeted.readUpdatedItems(seller, now),
  ];
  for (const work of works) {
    t.like(await t.throwsAsync(work, { instanceOf: MarketplaceError }), {
      kind: 'budget_exhausted',
      retryAfterMs: 90_000,
    });
  }
  t.deepEqual(log, [
    ['take', 'publish', { commit: 1 }],
    ['check', 'publish', { create: 1, image: 3, commit: 1, results: 2 }],
    ['take', 'feed', { updated_items: 1 }],
  ]);
});

test("the marketplace's own 429 is learnt for its method", async (t) => {
  const fail = new MarketplaceError('budget_exhausted', 'no more', { code: 'CallLimitExceeded', retryAfterMs: 7_000 });
  const { budgeted, log } = setUp({ fail });
  t.is(await t.throwsAsync(budgeted.setPrices(seller, '2', startingAt(500)), { instanceOf: MarketplaceError }), fail);
  t.deepEqual(log.at(-1), ['learn', 'price', 7_000]);
});

test('a call that reached nobody is given back; one that may have arrived is not', async (t) => {
  const after = async (fail: MarketplaceError): Promise<unknown> => {
    const { budgeted, log } = setUp({ fail });
    await t.throwsAsync(budgeted.commit(seller, '1'), { instanceOf: MarketplaceError });
    return log.at(-1);
  };
  t.deepEqual(await after(new MarketplaceError('unavailable', 'refused')), ['giveBack', 'publish', { commit: 1 }]);
  t.is(await after(new MarketplaceError('unavailable', 'wrong key', { code: 'InvalidApplication' })), 'commit');
  t.is(await after(new MarketplaceError('outcome_unknown', 'time-out')), 'commit');
  t.is(await after(new MarketplaceError('refused', 'no', { code: 'X' })), 'commit');
});
