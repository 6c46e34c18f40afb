import test from 'ava';
import fc from 'fast-check';

import {
  isSekAmount,
  isWholeKronor,
  oreFromSek,
  sekFromOre,
  sekMax,
  wholeKronorFromOre,
  withoutFloatNoise,
} from '../../features/rules/money.ts';
import { checkProperty } from '../support/check-property.ts';

/** The rule by the decimal text of the number, as a person would check it. */
const hasAtMostTwoDecimals = (sek: number): boolean => /^[0-9]+([.][0-9]{1,2})?$/.test(String(sek));

for (const [sek, ore] of [
  [149.5, 14_950],
  [0.1, 10],
  [0.29, 29],
  [1.15, 115],
  [4.35, 435],
  [1_005.01, 100_501],
  [99_999_999.99, 9_999_999_999],
  [sekMax, 10_000_000_000],
  [0, 0],
] as const) {
  test(`${sek} SEK is exactly ${ore} öre, and back`, (t) => {
    t.is(oreFromSek(sek), ore);
    t.is(sekFromOre(ore), sek);
  });
}

test('minus zero becomes zero', (t) => {
  t.true(Object.is(oreFromSek(-0), 0));
});

for (const sek of [0.001, 1.005, 149.999, 0.1 + 0.2, 1e-7, -1, sekMax + 1, 1e21, Number.NaN, Infinity]) {
  test(`${sek} is not an amount`, (t) => {
    t.false(isSekAmount(sek));
    t.throws(() => oreFromSek(sek), { instanceOf: RangeError });
  });
}

for (const [sek, meant] of [
  [3.3000000000000003, 3.3],
  [27964.000000000004, 27_964],
  [0.1 + 0.2, 0.3],
  [0.1 + 0.2 + 0.7 - 1e-16, 1],
  [1.15 * 3, 3.45],
  [99_999_999.99000001, 99_999_999.99],
  [-4.9999999999, -5],
  [149.5, 149.5],
  // Real decimals stay.
  [10.999, 10.999],
  [1.005, 1.005],
  [19.99001, 19.99001],
  [1e300, 1e300],
] as const)
  test(`${sek} SEK means ${meant}`, (t) => {
    t.is(withoutFloatNoise(sek), meant);
  });

test('every whole number of öre within the bounds survives the way to SEK and back', async (t) => {
  await checkProperty(
    t,
    fc.property(fc.integer({ min: 0, max: sekMax * 100 }), (ore) => oreFromSek(sekFromOre(ore)) === ore),
  );
});

test('the arithmetic check agrees with the decimal text for any number within the bounds', async (t) => {
  const amounts = fc.oneof(
    fc.double({ min: 0, max: sekMax, noNaN: true }),
    fc.integer({ min: 0, max: sekMax * 1_000 }).map((thousandths) => thousandths / 1_000),
  );
  await checkProperty(
    t,
    fc.property(amounts, (sek) => isSekAmount(sek) === hasAtMostTwoDecimals(sek)),
    { numRuns: 2_000 },
  );
});

for (const [ore, kronor] of [
  [100, 1],
  [149, 1],
  [150, 2],
  [14_950, 150],
  [14_949, 149],
] as const) {
  test(`${ore} öre are ${kronor} whole kronor, rounded half up`, (t) => {
    t.is(wholeKronorFromOre(ore), kronor);
  });
}

test('only hundreds of öre are whole kronor', (t) => {
  t.true(isWholeKronor(14_900));
  t.false(isWholeKronor(14_950));
});
