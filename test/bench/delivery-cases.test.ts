import test from 'ava';
import { deliveryCases, type Results } from '../../bench/cases/delivery-cases.ts';

const aResult = (perSecond: number, cpuMsEach: number): Results => {
  const played = { perSecond, cpuMsEachOf: { mongod: cpuMsEach / 2, maker: cpuMsEach / 2 }, durations: [3, 4, 5] };
  return { 64: [played], 16: [played], steady: [played] };
};
const measured = { product: aResult(2_900, 0.4), floor: aResult(4_000, 0.3), bullmq: null, outpost: null };

test('deliveries are held to their targets, whatever stands beside them', (t) => {
  const cases = deliveryCases(measured);
  const named = (name: string) => cases.find((one) => one.name === name);
  t.like(named('deliveries, burst, 64 publishers'), { value: 2_900, floor: 4_000, target: 3_000, met: false });
  t.like(named('deliveries, burst, 64 publishers, CPU each'), { value: 0.4, target: 0.45, met: true });
  t.like(named('deliveries, burst, 16 publishers'), { target: 2_300, met: true });
  t.like(named('deliveries, 50/s, p50'), { value: 4, target: 6, met: true });
});

test('beside Outpost they are held to its rate and its CPU time', (t) => {
  const cases = deliveryCases({ ...measured, outpost: aResult(1_600, 0.9) });
  const named = (name: string) => cases.find((one) => one.name === `deliveries beside Outpost, burst, ${name}`);
  t.like(named('64 publishers'), { ratio: 1.813, goal: 1.8, met: true });
  t.like(named('64 publishers, CPU each'), { goal: 0.5, met: true });
  t.like(named('16 publishers'), { goal: 1.5, met: true });
  t.like(named('16 publishers, CPU each'), { goal: null, met: null });
});

test('an alternative that could not be measured has no rows, and no two rows have one name', (t) => {
  const names = deliveryCases({ ...measured, bullmq: aResult(400, 3) }).map(({ name }) => name);
  t.true(names.includes('deliveries beside BullMQ, 50/s, p50'));
  t.false(names.some((name) => name.includes('Outpost')));
  t.is(new Set(names).size, names.length);
});
