import test from 'ava';
import fc from 'fast-check';
import { attemptBounds, perHostMaxOf } from '../../features/webhooks/rules/attempt-bounds.ts';
import { groupBy } from '../../features/rules/group-by.ts';
import { accountId } from '../../features/rules/ids.ts';
import {
  ReceiverSlots,
  type EndedAttempt,
  type ReceiverName,
  type AttemptPermit,
} from '../../features/webhooks/receiver-slots.ts';
import { aGate } from '../support/a-gate.ts';
import { checkProperty } from '../support/check-property.ts';

const { perHostMax, reservedAhead } = attemptBounds;
const { unknown, sound, slow, hanging } = attemptBounds.perReceiverMax;
const fast: EndedAttempt = { kind: 'succeeded', durationMs: 5 };
const refused: EndedAttempt = { kind: 'failed', durationMs: 5 };
const timedOut: EndedAttempt = { kind: 'failed', durationMs: 10_000 };

const aReceiver = (account: string, host = 'erp.example', path = 'hooks'): ReceiverName => ({
  accountId: accountId(account),
  url: `https://${host}/${path}`,
});

/** Slots on a clock that only the test moves. */
function aWorld() {
  const clock = { ms: 0 };
  const slots = new ReceiverSlots({ now: () => clock.ms });
  const answer = async (name: ReceiverName, ended: EndedAttempt, count = 1): Promise<void> => {
    for (let times = 0; times < count; times += 1) await sent(take(slots, name), async () => ended);
  };
  return { clock, slots, answer };
}

/** As a caller does, which stores a failure before it releases the slot. */
async function sent(place: AttemptPermit, attempt: () => Promise<EndedAttempt>): Promise<EndedAttempt> {
  try {
    return await place.send(attempt);
  } finally {
    place.release();
  }
}

function take(slots: ReceiverSlots, name: ReceiverName): AttemptPermit {
  const place = slots.reserve(name);
  if (place === null) throw new Error('expected a place');
  return place;
}

/** As many as there are. */
function takeAll(slots: ReceiverSlots, name: ReceiverName): AttemptPermit[] {
  const places: AttemptPermit[] = [];
  for (let place = slots.reserve(name); place !== null; place = slots.reserve(name)) places.push(place);
  return places;
}

/** As many slots as there are, and nothing that is reserved ahead. */
async function takeSlots(slots: ReceiverSlots, name: ReceiverName): Promise<AttemptPermit[]> {
  const taken: AttemptPermit[] = [];
  for (let slot = await slots.wait(name, 1); slot !== null; slot = await slots.wait(name, 1)) taken.push(slot);
  return taken;
}

const releaseAll = (places: readonly AttemptPermit[]): void => places.forEach((place) => place.release());
/** What was resolved has gone on. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a receiver that nothing is known of has 4 slots; once it answers fast, sixteen times its slots may be reserved', async (t) => {
  const { slots, answer } = aWorld();
  t.is(takeAll(slots, aReceiver('a', 'new.example')).length, unknown);
  await answer(aReceiver('a', 'known.example'), fast, 14);
  t.is(slots.free(aReceiver('a', 'known.example')), sound * reservedAhead);
  t.is(takeAll(slots, aReceiver('a', 'known.example')).length, sound * reservedAhead);
});

test('one account’s successes at a host do not vouch for another’s receiver there', async (t) => {
  const { slots, answer } = aWorld();
  await answer(aReceiver('known'), fast, 20);
  t.is(takeAll(slots, aReceiver('other')).length, unknown);
});

test('one account’s hanging receiver takes nothing from another’s at the same host', async (t) => {
  const { slots, answer } = aWorld();
  await answer(aReceiver('known'), fast, 14);
  await answer(aReceiver('hanging'), timedOut, 3);
  t.is(slots.free(aReceiver('hanging')), hanging);
  t.is(slots.free(aReceiver('known')), sound * reservedAhead);
});

test('all endpoints of an account at a host share its slots', async (t) => {
  const { slots, answer } = aWorld();
  const [one, other] = [aReceiver('a', 'erp.example', 'one'), aReceiver('a', 'erp.example', 'other')];
  t.is(takeAll(slots, one).length, unknown);
  t.is(slots.reserve(other), null);
  t.not(slots.reserve(aReceiver('a', 'elsewhere.example')), null);
  await answer(aReceiver('b', 'erp.example', 'one'), timedOut, 3);
  t.is(takeAll(slots, aReceiver('b', 'erp.example', 'other')).length, hanging);
});

test('a process beside many others has its part of a host, and all together no more than two alone', async (t) => {
  const part = perHostMaxOf({ apis: 4, workers: 60 });
  t.is(part * 64, perHostMaxOf({ apis: 1, workers: 1 }) * 2);
  const slots = new ReceiverSlots({ perHostMax: part });
  const taken = await Promise.all(['a', 'b', 'c'].map((account) => takeSlots(slots, aReceiver(account))));
  t.is(taken.flat().length, part);
  t.true((await takeSlots(slots, aReceiver('a', 'elsewhere.example'))).length > 0);
});

// specification: a-hanging-receiver-delays
test('a slow receiver has 16 slots, a hanging one 4, and nothing is reserved ahead of them', async (t) => {
  const { slots, answer } = aWorld();
  for (const [account, answers, places] of [
    ['slow', 1, slow],
    ['hanging', 3, hanging],
  ] as const) {
    await answer(aReceiver(account), fast, 14);
    await answer(aReceiver(account), timedOut, answers);
    t.is(takeAll(slots, aReceiver(account)).length, places, account);
  }
});

test('accounts have equal shares of the slots of a crowded host', async (t) => {
  const { slots, answer } = aWorld();
  const accounts = Array.from({ length: 8 }, (_, n) => aReceiver(`account${n}`));
  for (const name of accounts) await answer(name, fast, 14);
  const held = new Map<ReceiverName, AttemptPermit[]>();
  for (const name of accounts) held.set(name, await takeSlots(slots, name));
  t.is(held.get(accounts[0] ?? aReceiver('none'))?.length, sound, 'the first ones took more');
  // Each gives back what it has, one after the other, and asks again.
  for (let round = 0; round < 2 * sound; round += 1)
    for (const name of accounts) {
      held.get(name)?.shift()?.release();
      held.get(name)?.push(...(await takeSlots(slots, name)));
    }
  t.deepEqual(
    accounts.map((name) => held.get(name)?.length),
    accounts.map(() => perHostMax / 8),
  );
});

test('an account that comes to a full host gets a place as soon as one is free', async (t) => {
  const { slots, answer } = aWorld();
  const accounts = ['a', 'b', 'c', 'd'].map((account) => aReceiver(account));
  for (const name of accounts) await answer(name, fast, 14);
  const held: AttemptPermit[][] = [];
  for (const name of accounts) held.push(await takeSlots(slots, name));
  t.is(sum(held.map(({ length }) => length)), perHostMax);
  t.is(slots.reserve(aReceiver('late')), null);
  held[0]?.pop()?.release();
  t.is(await slots.wait(aReceiver('a'), 1), null, 'it has more than its share');
  t.not(slots.reserve(aReceiver('late')), null);
});

test('an account that has left a host leaves its share to the others', async (t) => {
  const { slots, answer } = aWorld();
  for (const account of ['a', 'b']) await answer(aReceiver(account), fast, 14);
  releaseAll([...takeAll(slots, aReceiver('a')), ...takeAll(slots, aReceiver('b'))]);
  t.is(takeAll(slots, aReceiver('a')).length, sound * reservedAhead);
});

// specification: a-hanging-receiver-delays
test('however many receivers hang, one that answers finds slots at once, and so does a new one', async (t) => {
  const { slots, answer } = aWorld();
  await answer(aReceiver('healthy'), fast, 14);
  const accounts = Array.from({ length: 200 }, (_, n) => aReceiver(`hanging-${n}`, `host-${n}.example`));
  for (const name of accounts) await answer(name, timedOut, 3);
  for (const name of accounts) takeAll(slots, name);
  t.is(takeAll(slots, aReceiver('new')).length, unknown);
  t.true(takeAll(slots, aReceiver('healthy')).length >= sound);
});

test('what is reserved ahead is sent in order, and never more than the limit at once', async (t) => {
  const { slots, answer } = aWorld();
  const name = aReceiver('a');
  await answer(name, fast, 14);
  const [sent, ends]: [number[], (() => void)[]] = [[], []];
  const attempts = takeAll(slots, name).map((place, n) =>
    place.send(async () => {
      sent.push(n);
      const { opened, open } = aGate();
      ends.push(open);
      await opened;
      return fast;
    }),
  );
  t.is(sent.length, sound);
  for (let ended = 1; ended <= attempts.length; ended += 1) {
    ends.shift()?.();
    await turn();
    t.is(sent.length, Math.min(attempts.length, sound + ended));
  }
  await Promise.all(attempts);
  t.deepEqual(
    sent,
    [...sent].sort((a, b) => a - b),
  );
});

test('what was reserved ahead is sent also when all that had slots have ended before', async (t) => {
  const { slots, answer } = aWorld();
  const name = aReceiver('a');
  await answer(name, fast, 14);
  const places = takeAll(slots, name);
  for (const place of places.splice(0, sound)) await place.send(async () => fast);
  const ended = await Promise.all(places.map((place) => place.send(async () => fast)));
  t.is(ended.length, sound * (reservedAhead - 1));
});

test('what was reserved ahead of a receiver that begins to hang is given back, long before its lease ends', async (t) => {
  const { clock, slots, answer } = aWorld();
  const name = aReceiver('a');
  await answer(name, fast, 14);
  const gate = aGate();
  let begun = 0;
  const attempts = takeAll(slots, name).map((place) =>
    sent(place, async () => {
      begun += 1;
      await gate.opened;
      return timedOut;
    }),
  );
  clock.ms += 10_000;
  gate.open();
  const ends = await Promise.allSettled(attempts);
  t.is(begun, sound, 'none was sent after the receiver was known to hang');
  t.is(ends.filter(({ status }) => status === 'rejected').length, attempts.length - sound);
  t.is(slots.free(name), hanging);
});

test('after a failure the slot is taken until its caller has stored the failure and releases it', async (t) => {
  const { slots } = aWorld();
  const name = aReceiver('a');
  const places = takeAll(slots, name);
  await Promise.all(places.map((place) => place.send(async () => refused)));
  t.is(slots.reserve(name), null);
  places[0]?.release();
  t.is(takeAll(slots, name).length, 1);
});

test('a place that was given back twice is free once', (t) => {
  const { slots } = aWorld();
  const name = aReceiver('a');
  const [first] = takeAll(slots, name);
  first?.release();
  first?.release();
  t.is(slots.free(name), 1);
});

test('who waits for a slot gets the next that is free; after its time nothing', async (t) => {
  const slots = new ReceiverSlots();
  const name = aReceiver('a');
  const held = takeAll(slots, name);
  const waiting = slots.wait(name, 60_000);
  held[0]?.release();
  t.not(await waiting, null);
  t.is(await slots.wait(name, 1), null);
});

test('whoever looks for free slots is told of each', (t) => {
  const { slots } = aWorld();
  let told = 0;
  slots.onFree(() => (told += 1));
  releaseAll(takeAll(slots, aReceiver('a')));
  t.is(told, unknown);
});

const step = fc.record({
  account: fc.integer({ min: 0, max: 4 }),
  host: fc.integer({ min: 0, max: 2 }),
  action: fc.constantFrom(
    'reserve',
    'reserve',
    'reserve',
    'send',
    'send',
    'fast',
    'fast',
    'refused',
    'timedOut',
    'give back',
  ),
  times: fc.constantFrom(1, 1, 5, 40),
  passMs: fc.constantFrom(0, 0, 0, 1, 900, 2_500, 10_000),
});
const outcomes = { fast, refused, timedOut } as const;

/** One receiver, as its tester counts. */
interface Counted {
  readonly name: ReceiverName;
  readonly reserved: AttemptPermit[];
  /** Ends of those that were sent, in the order in which they began. */
  readonly sending: ((ended: EndedAttempt) => void)[];
  readonly ends: Promise<unknown>[];
  asked: number;
  readonly begun: number[];
}

function act(
  slots: ReceiverSlots,
  receiver: Counted,
  action: keyof typeof outcomes | 'reserve' | 'send' | 'give back',
): void {
  switch (action) {
    case 'reserve': {
      const place = slots.reserve(receiver.name);
      if (place !== null) receiver.reserved.push(place);
      return;
    }
    case 'give back':
      return receiver.reserved.pop()?.release();
    case 'send': {
      const n = (receiver.asked += 1);
      const attempt = (): Promise<EndedAttempt> => {
        receiver.begun.push(n);
        return new Promise((end) => receiver.sending.push(end));
      };
      const place = receiver.reserved.shift();
      if (place !== undefined) receiver.ends.push(sent(place, attempt).catch(() => undefined));
      return;
    }
    case 'fast':
    case 'refused':
    case 'timedOut':
      receiver.sending.shift()?.(outcomes[action]);
  }
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

function holdsBounds(receivers: readonly Counted[]): boolean {
  const hosts = groupBy(receivers, ({ name }) => new URL(name.url).host);
  return (
    receivers.every(
      ({ sending, begun }) => sending.length <= sound && begun.every((n, i) => i === 0 || n > (begun[i - 1] ?? 0)),
    ) &&
    receivers.every(({ reserved, sending }) => reserved.length + sending.length <= sound * reservedAhead) &&
    [...hosts.values()].every((own) => sum(own.map(({ sending }) => sending.length)) <= perHostMax)
  );
}

// specification: a-hanging-receiver-delays
test('whatever happens, the bounds and the order hold, and what has ended is free again', async (t) => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 200 }), async (steps) => {
    const { clock, slots } = aWorld();
    const receivers = new Map<string, Counted>();
    for (const { account, host, action, times, passMs } of steps) {
      clock.ms += passMs;
      const key = `${account} ${host}`;
      const name = aReceiver(`account-${account}`, `host-${host}.example`);
      const known: Counted = receivers.get(key) ?? { name, reserved: [], sending: [], ends: [], asked: 0, begun: [] };
      receivers.set(key, known);
      for (let n = 0; n < times; n += 1) act(slots, known, action);
      await turn();
      if (!holdsBounds([...receivers.values()])) return false;
    }
    for (const receiver of receivers.values()) {
      releaseAll(receiver.reserved);
      while (receiver.sending.length > 0) {
        receiver.sending.shift()?.(fast);
        await turn();
      }
      await Promise.all(receiver.ends);
    }
    return takeAll(slots, aReceiver('new', 'host-0.example')).length === unknown;
  });
  await checkProperty(t, property);
});
