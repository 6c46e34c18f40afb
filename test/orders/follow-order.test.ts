import test from 'ava';
import { orderId } from '../../features/rules/ids.ts';
import { followOrder } from '../../features/orders/rules/follow-order.ts';
import { recordHammerSale } from '../../features/listings/rules/auction-end.ts';
import { aCall, aLiveItem, anAd, emptied, later, noon } from '../support/an-item.ts';

const sale = { ...anAd, orderId: orderId('ord_77'), amountOre: 72_500, feeBps: 500, soldAt: noon, isPaid: false };
const won = emptied(recordHammerSale(aLiveItem(), sale, noon));
const id = orderId('ord_77');
const order = { orderId: id, platform: 'marketplace', adId: anAd.adId } as const;

test('an order paid by hand stays in progress, and nobody looks out for its payment any more', (t) => {
  const paid = followOrder(won, { ...order, state: 'paid' }, aCall(1));
  t.like(paid, { openOrderIds: [id], unpaidOrderIds: [], serviceStatus: 'sold', revision: won.revision + 1 });
});

for (const state of ['completed', 'cancelled'] as const) {
  test(`an order that is ${state} holds the item no longer; the item stays sold`, (t) => {
    const over = followOrder(won, { ...order, state }, aCall(1));
    t.like(over, { openOrderIds: [], unpaidOrderIds: [], serviceStatus: 'sold', revision: won.revision + 1 });
  });
}

test('each step by hand is a line of the history, with who did it', (t) => {
  for (const [state, kind] of [
    ['paid', 'paid'],
    ['completed', 'order_completed'],
    ['cancelled', 'order_cancelled'],
  ] as const) {
    const { journal } = followOrder(won, { ...order, state }, aCall(1));
    t.is(journal.length, 1);
    t.like(journal[0], { kind, at: later(1), actor: aCall().actor, details: { orderId: 'ord_77' } });
  }
});
