import test from 'ava';
import { canBecome, orderStates } from '../../features/orders/rules/order.ts';
import {
  isOrderStatus,
  orderStatuses,
  readAmount,
  stepsFrom,
} from '../../web/dashboard/src/pages/orders/order-fields.ts';
import { beginningOf, endOf } from '../../web/dashboard/src/period/stockholm-day.ts';
import { planState } from '../../web/dashboard/src/pages/subscription/plan-state.ts';

test('the dashboard knows the states of orders and no others', (t) => {
  t.deepEqual([...orderStatuses].sort(), [...orderStates].sort());
  t.true(isOrderStatus('paid'));
  t.false(isOrderStatus('lost'));
  t.false(isOrderStatus(undefined));
});

test('the dashboard offers the steps that the service takes, and all of them', (t) => {
  for (const from of orderStates)
    t.deepEqual(
      [...stepsFrom(from)].sort(),
      orderStates.filter((to) => to !== from && canBecome(from, to)).sort(),
      from,
    );
});

test('an amount is read as people write it', (t) => {
  t.is(readAmount('349'), 349);
  t.is(readAmount('1 499,50'), 1499.5);
  t.is(readAmount('1\u00a0499,5 kr'), 1499.5);
  t.is(readAmount('0.01'), 0.01);
});

test('what is no amount in whole öre is not guessed at', (t) => {
  for (const text of ['', '0', '0,001', '-5', '1,499.50', 'tre', '1e3', '100000001', '12,345'])
    t.is(readAmount(text), undefined, text);
});

test('a day begins and ends at midnight in Sweden, in summer and winter and when clocks change', (t) => {
  t.is(beginningOf('2026-11-01'), '2026-11-01T00:00:00+01:00');
  t.is(beginningOf('2026-07-01'), '2026-07-01T00:00:00+02:00');
  t.is(beginningOf('2026-03-29'), '2026-03-29T00:00:00+01:00');
  t.is(endOf('2026-03-29'), '2026-03-30T00:00:00+02:00');
  t.is(endOf('2026-10-25'), '2026-10-26T00:00:00+01:00');
  t.is(endOf('2026-12-31'), '2027-01-01T00:00:00+01:00');
});

test('what is no day gives no filter', (t) => {
  for (const text of ['', '2026-02-30', '2026-13-01', 'i går', '2026-1-1']) t.is(beginningOf(text), undefined, text);
});

test('a plan that is not paid is late, not free', (t) => {
  t.is(planState({ tier: 'free', isPro: false }), 'free');
  t.is(planState({ tier: 'pro', isPro: true }), 'pro');
  t.is(planState({ tier: 'pro', isPro: false }), 'late');
});
