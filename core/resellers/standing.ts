import type { AccountId } from '../ids.ts';
import type { DealInForce } from './join-decision.ts';

/** Relation of an account to the reseller whose page it reads. `free` may join, `member` has joined, the others cannot join. */
export type Standing =
  | { readonly kind: 'free' | 'own_page' | 'member_elsewhere' | 'reseller' }
  | { readonly kind: 'member'; readonly since: Date };

/** Agrees with `decideJoin`: the page offers joining only to an account that may join. */
export function standingOf(
  account: AccountId,
  reseller: AccountId,
  deal: (DealInForce & { readonly validFrom: Date }) | null,
): Standing {
  if (account === reseller) return { kind: 'own_page' };
  if (deal === null) return { kind: 'free' };
  switch (deal.kind) {
    case 'reseller_agreement':
      return { kind: 'reseller' };
    case 'sub_account':
      return deal.resellerAccountId === reseller
        ? { kind: 'member', since: deal.validFrom }
        : { kind: 'member_elsewhere' };
  }
}
