import Type, { type TNumber, type TNumberOptions } from 'typebox';
import { isSekAmount, sekMax } from '../core/money.ts';

/** A number with decimals. Without the format generators of Go and others take 32 bits, in which 149999.99 is 149999.98. */
export const decimalNumber = (options: TNumberOptions): TNumber => Type.Number({ format: 'double', ...options });

/** An amount that a caller sends. The keyword checks the decimals, because a schema has only one format. */
export const sekAmount = (options: TNumberOptions & { readonly minimum: number }): TNumber =>
  decimalNumber({ maximum: sekMax, [sekAmountKeyword]: true, ...options });

/** Named `x-…` as OpenAPI wants annotations of its own. */
export const sekAmountKeyword = 'x-sek-amount';
export const tooManyDecimals = 'must have at most two decimals';

/** The bounds have messages of their own; outside them nothing is said of the decimals. */
export const hasSekDecimals = (sek: number): boolean => sek < 0 || sek > sekMax || isSekAmount(sek);
