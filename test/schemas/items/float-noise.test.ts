import test from 'ava';
import { readPriceRequest } from '../../../schemas/items/change-requests.ts';
import { readItemRequest } from '../../../schemas/items/read-item-request.ts';
import { readNewOrder } from '../../../schemas/orders/order-requests.ts';
import { aBody, problemsOf, refusalOf } from './requests.ts';
import { said } from '../../support/said.ts';

const listing = {
  reservePrice: 899.9999999999999,
  buyNowPrice: 1_200.0000000000002,
  relist: { times: 2, priceStep: 50.00000000000001 },
  shippingOptions: [{ optionId: 1, cost: 78.99999999999999 }],
};

test('an amount with the noise of floats is the one that is meant, wherever amounts are sent', (t) => {
  const { content, warnings } = readItemRequest(
    aBody({ price: 27_964.000000000004 / 100, shippingCost: 3.3000000000000003, listing }),
  );
  t.is(content.priceOre, 27_964);
  t.is(content.shippingCostOre, 330);
  t.deepEqual(content.listing, {
    reservePrice: 900,
    buyNowPrice: 1_200,
    relist: { times: 2, priceStep: 50 },
    shippingOptions: [{ optionId: 1, cost: 79 }],
  });
  t.deepEqual(
    warnings.map(({ field }) => field),
    ['price', 'shippingCost'],
  );
  t.is(readItemRequest(aBody({ price: 0.9999999999999999 })).content.priceOre, 100);
  t.is(readPriceRequest({ price: 1.1 * 3 }).priceOre, 330);
  t.is(readNewOrder({ externalId: 'A', platform: 'service', amount: 0.1 + 0.2 }).amountOre, 30);
});

for (const price of [10.999, 1.005, 19.99001, 3.3001])
  test(`a real third decimal is refused: ${price}`, (t) => {
    const tooMany = [{ field: 'price', message: 'must have at most two decimals' }];
    t.deepEqual(problemsOf(aBody({ price })), tooMany);
    t.deepEqual(said(refusalOf(() => readPriceRequest({ price })).details ?? []), tooMany);
  });
