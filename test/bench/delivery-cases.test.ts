import test from 'ava';
import { deliveryCases, type Result } from '../../bench/cases/deliveries/delivery-cases.ts';

const aResult = (perSecond: number, cpuMsEach: number): Result => ({
  bursts: [{ perSecond, cpuMsEach, cpuMsEachOf: { worker: cpuMsEach }, p50Ms: 10, p99Ms: 20 }],
  steady: [
    { p50Ms: 3, p99Ms: 6, cpuMsEach: 2 },
    { p50Ms: 4, p99Ms: 8, cpuMsEach: 2 },
  ],
});
const floors = { trivial: aResult(32, 50), trivialLocal: aResult(37, 41) };

test('deliveries are held to their targets, and to the goal beside trivial workflows', (t) => {
  const cases = deliveryCases({ ...floors, lane: aResult(1_000, 0.9) });
  const named = (name: string) => cases.find((one) => one.name === name);
  t.like(named('deliveries by lane'), { value: 1_000, floor: 32, goal: 0.9, target: 1_500, met: false });
  t.like(named('deliveries by lane, CPU each'), { target: 1, met: true });
  t.like(named('deliveries by lane, 10/s, p50'), { value: 3, target: null });
  t.like(named('deliveries by lane, 50/s, p50'), { value: 4, target: 4.4, met: true });
});

test('an alternative that could not be measured has no rows', (t) => {
  const names = deliveryCases({ ...floors, lane: aResult(1_000, 1), agenda: aResult(200, 5) }).map(({ name }) => name);
  t.true(names.includes('deliveries by lane, beside Agenda'));
  t.false(names.some((name) => name.includes('BullMQ')));
  t.is(new Set(names).size, names.length);
});
