import { Refusal } from '../../rules/errors.ts';
import type { AccountId } from '../../rules/ids.ts';

/** Kinds of stored deals. An account without a current row has the default, `consumer_default`. */
export type StoredDealKind = 'reseller_agreement' | 'sub_account';

/** The deal of an account. Source: specification "Deal kinds named". */
export const dealKindOf = (deal: { readonly kind: StoredDealKind } | null): StoredDealKind | 'consumer_default' =>
  deal?.kind ?? 'consumer_default';

/**
 * Relation of an account to the reseller whose page it reads. `free` may join, `member` has joined, `waiting` has asked to, the
 * others cannot join.
 */
export type Standing =
  | { readonly kind: 'free' | 'own_page' | 'member_elsewhere' | 'reseller' }
  | { readonly kind: 'member' | 'waiting'; readonly since: Date };

/** Agrees with `decideJoin`: the page offers joining only to an account that may join. */
export function standingOf(
  account: AccountId,
  reseller: AccountId,
  { deal, askedAt }: { deal: (DealInForce & { readonly validFrom: Date }) | null; askedAt: Date | null },
): Standing {
  if (account === reseller) return { kind: 'own_page' };
  if (deal === null) return askedAt === null ? { kind: 'free' } : { kind: 'waiting', since: askedAt };
  switch (deal.kind) {
    case 'reseller_agreement':
      return { kind: 'reseller' };
    case 'sub_account':
      return deal.resellerAccountId === reseller
        ? { kind: 'member', since: deal.validFrom }
        : { kind: 'member_elsewhere' };
  }
}

/** The fields of a deal in force that decide whether its account may join a reseller. */
export interface DealInForce {
  readonly kind: StoredDealKind;
  readonly resellerAccountId: AccountId | null;
}

/**
 * Whether an account may become a reseller's member. A null `deal` stands for `consumer_default`, the deal of every account.
 * Returns `keep` when it is a member already. Throws {@link Refusal} with CONFLICT or ALREADY_CONNECTED otherwise
 * (interface-decisions "Reseller, members, deals").
 */
export function decideJoin(member: AccountId, reseller: AccountId, deal: DealInForce | null): 'join' | 'keep' {
  if (member === reseller) throw new Refusal('CONFLICT', 'A reseller cannot join its own page');
  if (deal === null) return 'join';
  switch (deal.kind) {
    case 'reseller_agreement':
      throw new Refusal('CONFLICT', 'An account with a paid deal cannot become a member');
    case 'sub_account':
      if (deal.resellerAccountId === reseller) return 'keep';
      throw new Refusal('ALREADY_CONNECTED', 'The account is connected to another reseller; disconnect it first');
  }
}
