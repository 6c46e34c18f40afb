// Inside the service, money is whole öre. SEK numbers with decimals exist only in the interface, and are converted
// here.

/** The largest amount of the interface in SEK: 100 million. Far below where öre would leave the safe integers. */
export const sekMax = 100_000_000;

/**
 * Whether a number is an amount in SEK: 0 to {@link sekMax} with at most two decimals. Exact: within these bounds the
 * division by 100 gives the double nearest to the two-decimal number, and parsing its text gives the same double.
 */
export function isSekAmount(sek: number): boolean {
  return sek >= 0 && sek <= sekMax && Math.round(sek * 100) / 100 === sek;
}

/** Programs that calculate with doubles send 3.3000000000000003; a real third decimal is a thousand times larger. */
const noiseMax = 1e-6;

/** The amount with two decimals that is meant, when it is that near; else the number as it is. */
export function withoutFloatNoise(sek: number): number {
  const rounded = Math.round(sek * 100) / 100;
  return Math.abs(rounded - sek) <= noiseMax ? rounded : sek;
}

/** SEK to whole öre (149.5 → 14950). Throws RangeError unless {@link isSekAmount}. */
export function oreFromSek(sek: number): number {
  if (!isSekAmount(sek)) throw new RangeError(`${sek} is not an amount in SEK with at most two decimals`);
  // + 0 turns the -0 that JSON can write into 0.
  return Math.round(sek * 100) + 0;
}

/** Öre to the SEK number of the interface (14950 → 149.5). */
export const sekFromOre = (ore: number): number => ore / 100;

/** Öre to whole kronor, rounded half up (14950 → 150): the marketplace has no öre. */
export const wholeKronorFromOre = (ore: number): number => Math.floor((ore + 50) / 100);

export const isWholeKronor = (ore: number): boolean => ore % 100 === 0;

/** The VAT within a price, in whole öre: 25 % of 100 kr are 20 kr of 100. */
export const vatWithinOre = (priceOre: number, percent: number): number =>
  Math.round((priceOre * percent) / (100 + percent));
