import test from 'ava';
import fc from 'fast-check';
import { attemptBounds } from '../../core/webhooks/attempt-bounds.ts';
import { createEndpointHealth, type Admission } from '../../usecases/deliveries/endpoint-health.ts';

const fast = { succeeded: true, durationMs: 5 };
const refused = { succeeded: false, durationMs: 5 };
const timedOut = { succeeded: false, durationMs: 10_000 };
type Begun = Extract<Admission, { kind: 'begun' }>;

/** Health on a clock that only the test moves. Deliveries have numbers. */
function aWorld() {
  const clock = { ms: 0 };
  const health = createEndpointHealth(() => clock.ms);
  let made = 0;
  const next = (): string => `dlv_${(made += 1)}`;
  const cheap = (target: string, delivery = next()) => health.tryBegin(target, { delivery, onlyIfCheap: true });
  const queued = (target: string, delivery = next()) => health.tryBegin(target, { delivery, onlyIfCheap: false });
  const answer = (target: string, attempt: Parameters<Begun['end']>[0]): void => begun(queued(target)).end(attempt);
  return { clock, cheap, queued, answer };
}

function begun(admission: Admission): Begun {
  if (admission.kind !== 'begun') throw new Error(`expected a place, got ${admission.kind}`);
  return admission;
}

const times = <Result>(count: number, make: () => Result): Result[] => Array.from({ length: count }, make);
const countBegun = (admissions: readonly Admission[]): number =>
  admissions.filter(({ kind }) => kind === 'begun').length;

test('a target that nothing is known of gets no cheap attempt', (t) => {
  t.is(aWorld().cheap('target').kind, 'needs-queue');
});

test('of a burst to a target that was fast only eight attempts are cheap, and another target is not affected', (t) => {
  const { cheap, answer } = aWorld();
  answer('target', fast);
  answer('other', fast);
  t.is(countBegun(times(60, () => cheap('target'))), attemptBounds.cheapPerTargetMax);
  t.is(cheap('other').kind, 'begun');
});

test('however many targets begin to hang together, cheap attempts leave local activities to others', (t) => {
  const { cheap, answer } = aWorld();
  const targets = times(20, () => 0).map((_, index) => `target-${index}`);
  for (const target of targets) answer(target, fast);
  t.is(countBegun(targets.flatMap((target) => times(8, () => cheap(target)))), attemptBounds.cheapMax);
});

test('after an attempt that failed none is cheap until one was fast again', (t) => {
  const { cheap, answer } = aWorld();
  answer('target', fast);
  answer('target', refused);
  t.is(cheap('target').kind, 'needs-queue');
  answer('target', fast);
  t.is(cheap('target').kind, 'begun');
});

test('after an attempt that took longer than a second none is cheap until three were fast again', (t) => {
  const { cheap, answer } = aWorld();
  answer('target', fast);
  answer('target', { succeeded: true, durationMs: 1_001 });
  for (const left of [3, 2, 1]) {
    t.not(cheap('target').kind, 'begun', `${left} are missing`);
    answer('target', fast);
  }
  t.is(cheap('target').kind, 'begun');
});

test('while an attempt is overdue no further one is cheap, although the last one that ended was fast', (t) => {
  const { cheap, answer, clock } = aWorld();
  answer('target', fast);
  t.is(cheap('target').kind, 'begun');
  clock.ms += 2_001;
  t.not(cheap('target').kind, 'begun');
});

test('an attempt that was not sent says nothing about its target', (t) => {
  const { cheap, answer } = aWorld();
  answer('target', fast);
  begun(cheap('target')).end(undefined);
  t.is(cheap('target').kind, 'begun');
});

test('a receiver that fails fast never has to wait', (t) => {
  const { queued, answer } = aWorld();
  for (let attempt = 0; attempt < 50; attempt += 1) answer('target', refused);
  t.is(queued('target').kind, 'begun');
});

test('a receiver that hangs gets few attempts at once, and the others learn when their turn is', (t) => {
  const { queued, answer, cheap } = aWorld();
  times(3, () => answer('target', timedOut));
  t.is(countBegun(times(attemptBounds.perTargetMax.hanging, () => queued('target'))), 4);
  const waits = times(6, () => cheap('target')).map((admission) => admission.kind === 'wait' && admission.forMs);
  t.deepEqual(waits, [10_500, 10_500, 10_500, 10_500, 21_000, 21_000]);
});

test('who was promised a place on the queue finds it, whoever else comes meanwhile', (t) => {
  const { queued, answer, cheap } = aWorld();
  times(3, () => answer('target', timedOut));
  const promised = times(4, () => 0).map((_, index) => `promised-${index}`);
  for (const delivery of promised) t.is(cheap('target', delivery).kind, 'needs-queue');
  t.is(cheap('target').kind, 'wait');
  t.is(queued('target').kind, 'wait');
  for (const delivery of promised) t.is(queued('target', delivery).kind, 'begun');
});

test('places of deliveries that never come back are free again after a while', (t) => {
  const { cheap, answer, clock } = aWorld();
  times(3, () => answer('target', timedOut));
  times(50, () => cheap('target'));
  t.is(cheap('target').kind, 'wait');
  clock.ms += 300_000;
  t.is(cheap('target').kind, 'needs-queue');
});

/** Deliveries to one target that answers nothing within 10 s, as their workflows and timers would play it. */
function playLine(world: ReturnType<typeof aWorld>, deliveries: number) {
  const { clock, queued } = world;
  const due = times(deliveries, () => 0).map((_, index) => ({ at: 0, delivery: `line-${index}` }));
  const ends: { at: number; end: Begun['end'] }[] = [];
  let looks = 0;
  let inFlightMax = 0;
  while (due.length > 0 || ends.length > 0) {
    clock.ms = Math.min(...[...due, ...ends].map(({ at }) => at));
    for (const { end } of takeDue(ends, clock.ms)) end(timedOut);
    for (const { delivery } of takeDue(due, clock.ms)) {
      looks += 1;
      const admission = queued('target', delivery);
      if (admission.kind === 'wait') due.push({ at: clock.ms + admission.forMs, delivery });
      else ends.push({ at: clock.ms + timedOut.durationMs, end: begun(admission).end });
    }
    inFlightMax = Math.max(inFlightMax, ends.length);
  }
  return { looks, inFlightMax, tookMs: clock.ms };
}

function takeDue<Timed extends { at: number }>(from: Timed[], now: number): Timed[] {
  const taken = from.filter(({ at }) => at <= now);
  from.splice(0, from.length, ...from.filter(({ at }) => at > now));
  return taken;
}

test('everybody in a line gets a turn, after few looks, without leaving places empty', (t) => {
  const world = aWorld();
  times(3, () => world.answer('target', timedOut));
  const { looks, inFlightMax, tookMs } = playLine(world, 200);
  t.is(inFlightMax, attemptBounds.perTargetMax.hanging);
  t.true(looks < 200 * 4, `${looks} looks`);
  const idealMs = (200 / attemptBounds.perTargetMax.hanging) * timedOut.durationMs;
  t.true(tookMs < idealMs * 1.5, `${tookMs} ms, ideal ${idealMs}`);
});

const step = fc.record({
  target: fc.integer({ min: 0, max: 11 }),
  action: fc.constantFrom('cheap', 'queued', 'queued', 'fast', 'refused', 'timedOut', 'unsent'),
  passMs: fc.constantFrom(0, 0, 0, 1, 900, 2_500, 10_000),
});
const outcomes = { fast, refused, timedOut, unsent: undefined };

interface InFlight {
  readonly target: string;
  readonly isCheap: boolean;
  readonly end: Begun['end'];
}

function holdsBounds(inFlight: readonly InFlight[], target: string): boolean {
  const toTarget = inFlight.filter((one) => one.target === target);
  return (
    inFlight.length <= attemptBounds.inFlightMax &&
    inFlight.filter(({ isCheap }) => isCheap).length <= attemptBounds.cheapMax &&
    toTarget.length <= attemptBounds.perTargetMax.sound &&
    toTarget.filter(({ isCheap }) => isCheap).length <= attemptBounds.cheapPerTargetMax
  );
}

/** Ends the oldest attempt of a target, twice: only the first counts. */
function endOldest(inFlight: InFlight[], target: string, attempt: Parameters<Begun['end']>[0]): void {
  const index = inFlight.findIndex((one) => one.target === target);
  if (index === -1) return;
  for (const { end } of inFlight.splice(index, 1)) [0, 1].forEach(() => end(attempt));
}

test('whatever happens, the bounds hold, and what has ended is free again', (t) => {
  const property = fc.property(fc.array(step, { maxLength: 1_500 }), (steps) => {
    const { clock, cheap, queued } = aWorld();
    const inFlight: InFlight[] = [];
    for (const { target: number, action, passMs } of steps) {
      clock.ms += passMs;
      const target = `target-${number}`;
      if (action === 'cheap' || action === 'queued') {
        const isCheap = action === 'cheap';
        const admission = (isCheap ? cheap : queued)(target);
        if (admission.kind === 'begun') inFlight.push({ target, isCheap, end: admission.end });
        if (admission.kind === 'wait' && admission.forMs < 1_000) return false;
      } else endOldest(inFlight, target, outcomes[action]);
      if (!holdsBounds(inFlight, target)) return false;
    }
    for (const { end } of inFlight) end(undefined);
    const after = times(7, () => 0).flatMap((_, index) => times(32, () => queued(`new-${index}`)));
    return countBegun(after) > attemptBounds.unprovenMax * 0.9;
  });
  t.notThrows(() => {
    fc.assert(property, { numRuns: 200 });
  });
});

test('however many targets hang, one that answers finds places at once, and so does a new one', (t) => {
  const { queued, answer, cheap } = aWorld();
  answer('healthy', fast);
  const hanging = times(60, () => 0).map((_, index) => `hanging-${index}`);
  for (const target of hanging) times(3, () => answer(target, timedOut));
  for (const target of hanging) times(60, () => queued(target));
  t.is(countBegun(times(4, () => queued('new'))), 4);
  t.is(cheap('healthy').kind, 'begun');
});
