import test from 'ava';
import { accountId } from '../../features/rules/ids.ts';
import { callsOfPublication, type CallDecision } from '../../features/listings/rules/call-budget.ts';
import { MarketplaceError, type CallPlace } from '../../gateways/marketplace/port.ts';
import { Secret } from '../../platform/security/secret.ts';
import { budgetGate, ensureCalls, type CallBudget, type CallToMake } from '../../features/listings/call-budget.ts';

const now = new Date('2026-11-21T12:00:00Z');
const account = accountId('11111111-1111-4111-8111-111111111111');
const seller = { accountId: account, marketplaceUserId: '77', isSandbox: false, token: new Secret('token') };
const place: CallPlace = { seller, operation: 'price', purpose: 'price' };
const call: CallToMake = { account, method: 'price', purpose: 'price' };

/** A gate whose budget notes what is taken from it. */
function setUp(decision: CallDecision = { kind: 'granted' }) {
  const log: unknown[] = [];
  const note = (...what: unknown[]): CallDecision => {
    log.push(what);
    return decision;
  };
  const budget: CallBudget = {
    take: (taken) => Promise.resolve(note('take', taken)),
    check: (claim, calls) => Promise.resolve(note('check', claim, calls)),
    giveBack: (taken) => Promise.resolve(void note('giveBack', taken)),
    learnExhausted: (method, retryAfterMs) => Promise.resolve(void note('learn', method, retryAfterMs)),
    readUse: () => Promise.resolve({ callsPerDay: null, methods: [] }),
  };
  const clock = { budget, now: () => now };
  return { gate: budgetGate(clock), ensure: ensureCalls(clock), log };
}

test('every call is taken from its own operation and for its own purpose, before it is sent', async (t) => {
  const { gate, log } = setUp();
  t.is(await gate(place, () => Promise.resolve(log.push(['sent']))), 2);
  t.deepEqual(log, [['take', call], ['sent']]);
});

test('without budget nothing is sent, and the error says when to come back', async (t) => {
  const { gate, ensure, log } = setUp({ kind: 'wait', until: new Date(now.getTime() + 90_000) });
  const expected = { kind: 'budget_exhausted', retryAfterMs: 90_000 };
  const sent = gate(place, () => Promise.resolve(log.push('sent')));
  t.like(await t.throwsAsync(sent, { instanceOf: MarketplaceError }), expected);
  t.like(await t.throwsAsync(ensure(seller, callsOfPublication(3)), { instanceOf: MarketplaceError }), expected);
  t.deepEqual(log, [
    ['take', call],
    ['check', { account, purpose: 'publish' }, { create: 1, image: 3, commit: 1, results: 2, item: 1 }],
  ]);
});

test('a publication of a sandbox needs no calls', async (t) => {
  const { ensure, log } = setUp({ kind: 'wait', until: now });
  await ensure({ ...seller, isSandbox: true }, callsOfPublication(3));
  t.deepEqual(log, []);
});

async function after(fail: MarketplaceError): Promise<unknown> {
  const { gate, log } = setUp();
  try {
    await gate(place, () => Promise.reject(fail));
  } catch (error) {
    return error === fail ? log.at(-1) : error;
  }
  return 'no error';
}

test("the marketplace's own 429 is learnt for its operation", async (t) => {
  const fail = new MarketplaceError('budget_exhausted', 'no more', { status: 429, retryAfterMs: 7_000 });
  t.deepEqual(await after(fail), ['learn', 'price', 7_000]);
});

test('a call that reached nobody is given back; one that may have arrived, or was answered, is not', async (t) => {
  t.deepEqual(await after(new MarketplaceError('unavailable', 'refused')), ['giveBack', call]);
  t.deepEqual(await after(new MarketplaceError('unavailable', 'HTTP 500', { status: 500 })), ['take', call]);
  t.deepEqual(await after(new MarketplaceError('not_accepted', 'wrong key', { status: 401 })), ['take', call]);
  t.deepEqual(await after(new MarketplaceError('outcome_unknown', 'time-out')), ['take', call]);
});
