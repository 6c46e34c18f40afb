import { resultBits } from '../../../gateways/marketplace/v4-objects.ts';

export type ResultCode = keyof typeof resultBits;

export const resultCodes = Object.keys(resultBits) as readonly ResultCode[];

/** The bit field with these bits set. */
export function toBits(codes: readonly ResultCode[]): number {
  return codes.reduce((bits, code) => bits | resultBits[code], 0);
}

/** Whether the bit of this code is set. */
export function hasBit(bits: number, code: ResultCode): boolean {
  return (bits & resultBits[code]) !== 0;
}

/** The names of the bits that are set, for messages. */
export function describeBits(bits: number): string {
  return resultCodes.filter((code) => hasBit(bits, code)).join(', ');
}
