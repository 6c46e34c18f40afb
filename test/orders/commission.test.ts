import test from 'ava';
import { accountId } from '../../features/rules/ids.ts';
import { sekMax } from '../../features/rules/money.ts';
import { commissionOn, directSalesMaxOre, feeOre, needsConfirmation } from '../../features/orders/rules/commission.ts';

const terms = (commissionBps: number) => ({ resellerAccountId: accountId('r'), agreementId: 'd1', commissionBps });

// specification: commissionbps-applied-to-the
test('commission is rounded half up to whole öre, once per order', (t) => {
  const cases: [amountOre: number, bps: number, ore: number][] = [
    [10_000, 250, 250],
    [199, 250, 5],
    [200, 250, 5],
    [219, 250, 5],
    [220, 250, 6],
    [1, 4_999, 0],
    [1, 5_000, 1],
    [1, 0, 0],
    [12_345, 10_000, 12_345],
    [0, 10_000, 0],
  ];
  for (const [amountOre, bps, ore] of cases)
    t.is(commissionOn(amountOre, terms(bps))?.commissionOre, ore, `${amountOre} öre at ${bps}`);
  t.is(commissionOn(10_000, null), null);
});

// specification: commissionbps-applied-to-the
test('commission and fee are what whole numbers of any size say, up to the largest amount', (t) => {
  const exact = (amount: number, bps: number): bigint => (BigInt(amount) * BigInt(bps) * 2n + 10_000n) / 20_000n;
  let random = 7;
  const next = (below: number): number => {
    random = (random * 48_271) % 2_147_483_647;
    return random % below;
  };
  for (let round = 0; round < 20_000; round += 1) {
    const amount = round % 3 === 0 ? sekMax * 100 - next(1_000) : next(2_000_000_000);
    const bps = next(10_001);
    t.is(BigInt(commissionOn(amount, terms(bps))?.commissionOre ?? -1), exact(amount, bps));
    t.is(BigInt(feeOre(amount, bps)), exact(amount, bps));
  }
});

test('direct sales count up to the sum of the agreement, and won auctions whatever they come to', (t) => {
  const sold = { platform: 'service', countedOre: 0, maxOre: undefined } as const;
  t.false(needsConfirmation({ ...sold, amountOre: directSalesMaxOre }));
  t.true(needsConfirmation({ ...sold, amountOre: directSalesMaxOre + 1 }));
  t.true(needsConfirmation({ ...sold, amountOre: 1, countedOre: directSalesMaxOre }));
  t.false(needsConfirmation({ ...sold, amountOre: 500, countedOre: 500, maxOre: 1_000 }));
  t.true(needsConfirmation({ ...sold, amountOre: 501, countedOre: 500, maxOre: 1_000 }));
  t.true(needsConfirmation({ ...sold, amountOre: 1, maxOre: 0 }));
  const won = { ...sold, platform: 'marketplace', amountOre: directSalesMaxOre + 1 } as const;
  t.false(needsConfirmation(won));
});
