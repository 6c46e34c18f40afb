import test from 'ava';
import { isInProgress, moveOrder, orderStates, statesInProgress } from '../../features/orders/rules/order.ts';
import { later, noon } from '../support/an-item.ts';

// Written once more by hand, from the decisions: a row that is changed by mistake differs from it.
const allowed = ['pending paid', 'pending cancelled', 'paid completed', 'paid cancelled'];

const progress = { paidAt: null, completedAt: null, cancelledAt: null, updatedAt: noon, revision: 1 };

for (const from of orderStates) {
  for (const to of orderStates) {
    const expected = from === to ? 'no change' : allowed.includes(`${from} ${to}`) ? 'moved' : 'refused';
    // specification: pending-paid-or-cancelled
    test(`an order that is ${from} asked to become ${to}: ${expected}`, (t) => {
      const order = { ...progress, state: from };
      const moved = moveOrder(order, to, later(5));
      if (expected === 'no change') return t.is(moved, order);
      if (expected === 'refused') return t.is(moved, null);
      return t.deepEqual(moved, {
        ...progress,
        [`${to}At`]: later(5),
        state: to,
        updatedAt: later(5),
        revision: 2,
      } as never);
    });
  }
}

test('the time of an earlier step stays', (t) => {
  const paid = moveOrder({ ...progress, state: 'pending' }, 'paid', later(1));
  if (paid === null) return t.fail('refused');
  t.like(moveOrder(paid, 'completed', later(2)), { paidAt: later(1), completedAt: later(2), cancelledAt: null });
});

// specification: in-progress-for-delete
test('in progress means pending or paid', (t) => {
  t.deepEqual(orderStates.filter(isInProgress), ['pending', 'paid']);
  t.deepEqual(statesInProgress, ['pending', 'paid']);
});
