import Type, { type TNumber, type TNumberOptions } from 'typebox';
import { isSekAmount, sekMax } from '../core/money.ts';

/** A number with decimals. Without the format, code generators (Go and others) use 32 bits, where 149999.99 becomes 149999.98. */
export const decimalNumber = (options: TNumberOptions): TNumber => Type.Number({ format: 'double', ...options });

/** The only one. */
export const currencySchema = Type.Enum(['SEK'], {
  $id: 'Currency',
  description: 'SEK, the only one; also where it is left out',
});

/** An amount that a caller sends. The keyword checks the decimals, because a schema has only one format. */
export const sekAmount = (options: TNumberOptions & { readonly minimum: number }): TNumber =>
  decimalNumber({ maximum: sekMax, [sekAmountKeyword]: true, ...options });

/** Named `x-…`, as OpenAPI requires for extensions. */
export const sekAmountKeyword = 'x-sek-amount';
export const tooManyDecimals = 'must have at most two decimals';

/** Accepts values outside the bounds: those have their own messages, and one message is enough. */
export const hasSekDecimals = (sek: number): boolean => sek < 0 || sek > sekMax || isSekAmount(sek);
