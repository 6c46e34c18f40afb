import { Refusal } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';

/** Names the details of the refusal, which tell it from every other CONFLICT. */
export const resellerField = 'reseller';

/** Throws {@link Refusal} CONFLICT when somebody was shown another reseller, by user id, than the one that it would be about now. */
export function requireShown(reseller: AccountId | null, expected: string): void {
  if (reseller === expected) return;
  throw new Refusal('CONFLICT', 'This is about another reseller now than the one that was shown', {
    details: [{ field: resellerField, message: 'is another one by now' }],
  });
}
