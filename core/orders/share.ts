/**
 * A part of an amount in whole öre, rounded half up. `bps` is hundredths of a per cent. Exact: the largest amount
 * (`sekMax`) times 10,000 is far below the largest safe integer.
 */
export const shareOre = (amountOre: number, bps: number): number => Math.floor((amountOre * bps + 5_000) / 10_000);
