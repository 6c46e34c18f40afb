import type { AccountId } from '../ids.ts';
import type { DealInForce } from './join-decision.ts';

/** How an account stands to a reseller whose page it reads: `free` may join; the others say why not, or that it has. */
export type Standing =
  | { readonly kind: 'free' | 'own_page' | 'member_elsewhere' | 'reseller' }
  | { readonly kind: 'member'; readonly since: Date };

/** Says of each account what `decideJoin` would do with it. */
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
