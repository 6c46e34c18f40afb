import test from 'ava';
import fc from 'fast-check';
import { attemptBounds } from '../../../core/webhooks/attempt-bounds.ts';
import { createEndpointHealth, type Admission } from '../../../usecases/deliveries/endpoint-health.ts';
import { playLine } from '../../usecases/support/play-line.ts';

const fast = { succeeded: true, durationMs: 5 };
const refused = { succeeded: false, durationMs: 5 };
const timedOut = { succeeded: false, durationMs: 10_000 };
type Begun = Extract<Admission, { kind: 'begun' }>;

/** Health on a clock that only the test moves. */
function aWorld() {
  const clock = { ms: 0 };
  const health = createEndpointHealth(
    () => clock.ms,
    () => 0,
  );
  const queued = (target: string, hasWaited = false) => health.tryBegin(target, { hasWaited });
  const answer = (target: string, attempt: Parameters<Begun['end']>[0]): void => begun(queued(target)).end(attempt);
  const first = (target: string) => health.tryBeginFirst(target);
  const isSlow = (target: string) => health.isSlow(target);
  return { clock, queued, answer, first, isSlow };
}

function begun(admission: Admission): Begun {
  if (admission.kind !== 'begun') throw new Error(`expected a place, got ${admission.kind}`);
  return admission;
}

const times = <Result>(count: number, make: () => Result): Result[] => Array.from({ length: count }, make);
const countBegun = (admissions: readonly Admission[]): number =>
  admissions.filter(({ kind }) => kind === 'begun').length;

// specification: a-receiver-that-fails
test('a receiver that fails fast never has to wait', (t) => {
  const { queued, answer } = aWorld();
  for (let attempt = 0; attempt < 50; attempt += 1) answer('target', refused);
  t.is(queued('target').kind, 'begun');
});

test('a receiver that hangs gets few attempts at once, and the others learn when their turn is', (t) => {
  const { queued, answer } = aWorld();
  times(3, () => answer('target', timedOut));
  t.is(countBegun(times(attemptBounds.perTargetMax.hanging, () => queued('target'))), 4);
  const waits = times(4, () => queued('target')).map((admission) => admission.kind === 'wait' && admission.forMs);
  t.deepEqual(waits, [10_500, 12_250, 14_000, 15_750]);
});

test('while somebody waits, those that come now wait too, and a place goes to one that has waited, in any process', (t) => {
  const { queued, answer, clock } = aWorld();
  times(3, () => answer('target', timedOut));
  const inFlight = times(4, () => begun(queued('target')));
  t.is(queued('target').kind, 'wait');
  clock.ms += 10_000;
  for (const { end } of inFlight) end(timedOut);
  t.is(queued('target').kind, 'wait');
  t.is(queued('target', true).kind, 'begun');
});

const hangs = () => timedOut;
const isSlow = (atMs: number) => ({ succeeded: true, durationMs: 2_400 + (atMs % 1_210) });
const receivers = [
  { name: 'hangs', answer: hangs, places: attemptBounds.perTargetMax.hanging, meanMs: 10_000 },
  { name: 'takes 3 s', answer: isSlow, places: attemptBounds.perTargetMax.slow, meanMs: 3_000 },
];
/** How much longer than with places that are never empty: what a timer comes back to is chance, and in short lines that shows. */
const lateMax = { 600: { 1: 1.25, 2: 1.4, 4: 1.6 }, 8_000: { 1: 1.15, 2: 1.2, 4: 1.25 } } as const;

for (const { name, answer, places, meanMs } of receivers)
  for (const deliveries of [600, 8_000] as const)
    for (const processes of [1, 2, 4] as const)
      // specification: who-waits-for-a
      test(`${deliveries} deliveries to a receiver that ${name} all get a turn, workers: ${processes}, after few looks, without leaving places empty`, (t) => {
        const { tookMs, looks, looksMax, looksPerSecondMax, inFlightMax } = playLine({ processes, deliveries, answer });
        const idealMs = (deliveries * meanMs) / (places * processes);
        const late = tookMs / idealMs;
        t.log(`${late.toFixed(2)} of the ideal, looks ${(looks / deliveries).toFixed(2)}, at most ${looksMax}`);
        t.is(inFlightMax, places * processes);
        t.true(late < lateMax[deliveries][processes], `${tookMs} ms, ideal ${idealMs}`);
        t.true(looks < deliveries * 6, `${looks} looks`);
        t.true(looksMax < 30, `${looksMax} looks of one delivery`);
        t.true(looksPerSecondMax < 15 * processes, `${looksPerSecondMax} looks in a second`);
      });

test('a receiver that recovers is soon sent everything, however many had been told to wait for hours', (t) => {
  const recoversMs = 600_000;
  const answer = (atMs: number) => (atMs < recoversMs ? timedOut : fast);
  for (const [deliveries, withinMs] of [
    [600, 10 * 60_000],
    [8_000, 90 * 60_000],
  ] as const) {
    const { tookMs } = playLine({ processes: 1, deliveries, answer });
    t.true(tookMs - recoversMs < withinMs, `${deliveries}: ${tookMs - recoversMs} ms`);
  }
});

test('while new ones keep coming nearly as fast as places become free, those that wait get through', (t) => {
  const eachMs = timedOut.durationMs / attemptBounds.perTargetMax.hanging;
  const arrivesAt = (index: number): number => (index < 100 ? index : (index - 100) * eachMs * 1.2);
  const { waitedMs } = playLine({ processes: 2, deliveries: 2_000, answer: hangs, arrivesAt: (i) => arrivesAt(i) / 2 });
  t.true(Math.max(...waitedMs) < 30 * 60_000, `${Math.max(...waitedMs)} ms`);
});

/** How often a map or a set is read, changed or walked one further. */
function countSteps(act: () => void): number {
  let steps = 0;
  const restore = [
    ...[Map.prototype, Set.prototype].flatMap((of) => [
      [of, 'get'],
      [of, 'has'],
      [of, 'add'],
      [of, 'set'],
      [of, 'delete'],
    ]),
    ...[new Map(), new Set(), []].map((of: Iterable<unknown>) => [
      Object.getPrototypeOf(of[Symbol.iterator]()),
      'next',
    ]),
  ].flatMap(([prototype, name]) => spy(prototype as never, name as never, () => (steps += 1)));
  act();
  restore.forEach((undo) => undo());
  return steps;
}

function spy(prototype: Record<string, unknown>, name: string, note: () => void): (() => void)[] {
  const real = prototype[name];
  if (typeof real !== 'function') return [];
  prototype[name] = function (this: unknown, ...values: unknown[]): unknown {
    note();
    return Reflect.apply(real, this, values);
  };
  return [() => (prototype[name] = real)];
}

test('a look costs the same however many wait', (t) => {
  const stepsAfter = (waiting: number): number => {
    const { queued, answer } = aWorld();
    times(3, () => answer('target', timedOut));
    times(4 + waiting, () => queued('target'));
    return countSteps(() => t.is(queued('target', true).kind, 'wait'));
  };
  const few = stepsAfter(1);
  t.true(few > 0);
  t.is(stepsAfter(8_000), few);
});

const step = fc.record({
  target: fc.integer({ min: 0, max: 11 }),
  action: fc.constantFrom('queued', 'queued', 'queued', 'fast', 'refused', 'timedOut', 'unsent'),
  passMs: fc.constantFrom(0, 0, 0, 1, 900, 2_500, 10_000),
});
const outcomes = { fast, refused, timedOut, unsent: undefined };

interface InFlight {
  readonly target: string;
  readonly end: Begun['end'];
}

function holdsBounds(inFlight: readonly InFlight[], target: string): boolean {
  const toTarget = inFlight.filter((one) => one.target === target);
  return inFlight.length <= attemptBounds.inFlightMax && toTarget.length <= attemptBounds.perTargetMax.sound;
}

/** Ends the oldest attempt of a target, twice: only the first counts. */
function endOldest(inFlight: InFlight[], target: string, attempt: Parameters<Begun['end']>[0]): void {
  const index = inFlight.findIndex((one) => one.target === target);
  if (index === -1) return;
  for (const { end } of inFlight.splice(index, 1)) [0, 1].forEach(() => end(attempt));
}

// specification: a-hanging-receiver-delays
test('whatever happens, the bounds hold, and what has ended is free again', (t) => {
  const property = fc.property(fc.array(step, { maxLength: 1_500 }), (steps) => {
    const { clock, queued } = aWorld();
    const inFlight: InFlight[] = [];
    for (const { target: number, action, passMs } of steps) {
      clock.ms += passMs;
      const target = `target-${number}`;
      if (action === 'queued') {
        const admission = queued(target);
        if (admission.kind === 'begun') inFlight.push({ target, end: admission.end });
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

// specification: a-hanging-receiver-delays
test('however many targets hang, one that answers finds places at once, and so does a new one', (t) => {
  const { queued, answer } = aWorld();
  answer('healthy', fast);
  const hanging = times(60, () => 0).map((_, index) => `hanging-${index}`);
  for (const target of hanging) times(3, () => answer(target, timedOut));
  for (const target of hanging) times(60, () => queued(target));
  t.is(countBegun(times(4, () => queued('new'))), 4);
  t.is(queued('healthy').kind, 'begun');
});

test('the lane sends to a target that nothing is known of, to as many at once as to any sound one', (t) => {
  const { first, isSlow } = aWorld();
  const kinds = times(40, () => first('target').kind);
  t.is(kinds.filter((kind) => kind === 'begun').length, attemptBounds.perTargetMax.sound);
  t.is(kinds.at(-1), 'full');
  t.false(isSlow('target'));
});

test('what the database takes before an attempt goes out is not held against its receiver', (t) => {
  const { clock, first, isSlow } = aWorld();
  const admission = first('target');
  clock.ms += 5_000;
  t.false(isSlow('target'));
  if (admission.kind === 'begun') admission.sends();
  clock.ms += 1_999;
  t.false(isSlow('target'));
  clock.ms += 2;
  t.true(isSlow('target'));
});

test('behind an attempt that is still being prepared, one that hangs is seen all the same', (t) => {
  const { clock, first, isSlow } = aWorld();
  first('target');
  const sent = first('target');
  if (sent.kind === 'begun') sent.sends();
  clock.ms += 2_001;
  t.true(isSlow('target'));
});

test('of a receiver that is slow or hangs the lane, too, has few attempts under way', (t) => {
  const { answer, first } = aWorld();
  const { slow, hanging } = attemptBounds.perTargetMax;
  answer('slow', { succeeded: true, durationMs: 1_500 });
  for (let n = 0; n < 3; n += 1) answer('hanging', timedOut);
  for (const [target, places] of [
    ['slow', slow],
    ['hanging', hanging],
  ] as const)
    t.is(times(40, () => first(target).kind).filter((kind) => kind === 'begun').length, places, target);
});
