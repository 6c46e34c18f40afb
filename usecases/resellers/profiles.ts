import { auditBy, type AuditEntry } from '../../core/audit/audit-entry.ts';
import { Refusal } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import type { ProfileWish } from '../../schemas/resellers/profiles.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { hasResellerAgreement } from '../../store/resellers/deals.ts';
import { findProfileBySlug, findProfile, type ProfileRow, saveProfile } from '../../store/resellers/profiles.ts';
import type { Context } from '../context.ts';

/** Public. Throws {@link Refusal} NOT_FOUND for an unknown slug. */
export async function readPublicProfile(context: Pick<Context, 'store'>, slug: string): Promise<PublicProfile> {
  const profile = await findProfileBySlug(context.store, slug);
  if (profile === null) throw new Refusal('NOT_FOUND', 'There is no profile here');
  return describeProfile(context.store, profile);
}

/** The account's own public profile. Throws {@link Refusal} NOT_FOUND while it has none. */
export async function readMyProfile(context: Pick<Context, 'store'>, scope: Scope): Promise<PublicProfile> {
  const profile = await findProfile(context.store, scope.actingAccountId);
  if (profile === null) throw new Refusal('NOT_FOUND', 'The account has no public profile yet');
  return describeProfile(context.store, profile);
}

/** Field name in the details of the refusal, which distinguishes it from other CONFLICT answers. */
export const resellerField = 'reseller';

/** Throws {@link Refusal} CONFLICT when the page showed another reseller, by user id, than the present one. */
export function requireShown(reseller: AccountId | null, expected: string): void {
  if (reseller === expected) return;
  throw new Refusal('CONFLICT', 'This is about another reseller now than the one that was shown', {
    details: [{ field: resellerField, message: 'is another one by now' }],
  });
}

export interface PublicProfile {
  readonly slug: string;
  readonly displayName: string;
  readonly description: string;
  readonly ownerHasResellerDeal: boolean;
}

/** The profile in its public form. */
async function describeProfile(store: StoreConnection, profile: ProfileRow): Promise<PublicProfile> {
  const { slug, displayName, description } = profile;
  return { slug, displayName, description, ownerHasResellerDeal: await hasResellerAgreement(store, profile._id) };
}

/**
 * Creates or changes the account's public profile. Any account may have one, but only a reseller's accepts members. A reseller's
 * former slug stays reserved for it for 90 days; that of another account is free at once. Throws {@link Refusal} CONFLICT when
 * the slug belongs to, or is reserved for, another account.
 */
export async function changeMyProfile(
  context: Pick<Context, 'store' | 'confirmCredential' | 'now'>,
  scope: Scope,
  wish: ProfileWish,
): Promise<PublicProfile> {
  const row = { _id: scope.actingAccountId, ...wish, updatedAt: context.now() };
  await context.confirmCredential(scope);
  const saved = await saveProfile(context.store, row, (before) => changedEntry(scope, row, before));
  if (saved === 'slug_taken') throw new Refusal('CONFLICT', `The slug ${wish.slug} belongs to another account`);
  return describeProfile(context.store, saved);
}

const changedEntry = (scope: Scope, row: ProfileRow, before: ProfileRow | null): AuditEntry =>
  auditBy(scope, {
    ...{ kind: 'profile_changed', at: row.updatedAt },
    details: { slug: row.slug, displayName: row.displayName, slugBefore: before?.slug ?? null },
  });
