import { shippingOf } from '../../../../../client/files/cell-values.ts';
import type { ListingDefaults } from '../../../../../client/generated/types.gen.ts';

export const vatRates = ['', '0', '6', '12', '25'] as const;
type VatRate = (typeof vatRates)[number];

/** The terms as the fields of a form hold them: text, empty for what is not set. */
export interface TermsDraft {
  readonly durationDays: string;
  readonly times: string;
  readonly priceStep: string;
  readonly vatPercent: VatRate;
  /** Written as in a file: `1:79|3:0`. */
  readonly shipping: string;
}

const textOf = (value: number | null | undefined): string => (value == null ? '' : String(value));

export const draftOfTerms = ({ durationDays, relist, vatPercent, shippingOptions }: ListingDefaults): TermsDraft => ({
  durationDays: textOf(durationDays),
  times: textOf(relist?.times),
  priceStep: textOf(relist?.priceStep),
  vatPercent: vatRates.find((rate) => rate === textOf(vatPercent)) ?? '',
  shipping: (shippingOptions ?? []).map(({ optionId, cost }) => `${optionId}:${cost}`).join('|'),
});

/** The terms to be stored; undefined where the shipping options have another form. An empty field is no term. */
export function termsOfDraft({
  durationDays,
  times,
  priceStep,
  vatPercent,
  shipping,
}: TermsDraft): ListingDefaults | undefined {
  const shippingOptions = shipping.trim() === '' ? [] : shippingOf(shipping);
  if (shippingOptions === undefined) return undefined;
  const step = priceStep === '' ? {} : { priceStep: Number(priceStep) };
  return {
    ...(durationDays !== '' && { durationDays: Number(durationDays) }),
    ...(times !== '' && { relist: { times: Number(times), ...step } }),
    ...(vatPercent !== '' && { vatPercent: vatOf[vatPercent] }),
    ...(shippingOptions.length > 0 && { shippingOptions }),
  };
}

const vatOf = { 0: 0, 6: 6, 12: 12, 25: 25 } as const;
