import { shareOre } from './share.ts';

/** The platform's fee in whole öre, rounded half up once per order. `feeBps` is hundredths of a percent. */
export const feeOre = (amountOre: number, feeBps: number): number => shareOre(amountOre, feeBps);
