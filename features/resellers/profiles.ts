import { auditBy, type AuditEntry } from '../accounts/rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import { problem } from '../rules/field-problems.ts';
import type { AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import { isProfileSlug, type ProfileWish } from '../../schemas/resellers/profiles.ts';
import { fingerprintOf } from '../../platform/security/fingerprint.ts';
import { isSuspended } from '../accounts/store/accounts.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { hasResellerAgreement } from './store/deals.ts';
import {
  findLogo,
  findProfile,
  findProfileBySlug,
  saveProfile,
  type Logo,
  type ProfileChange,
  type ProfileRow,
} from './store/profiles.ts';
import type { Context } from '../context.ts';

/** Public. Throws {@link Refusal} NOT_FOUND for an unknown slug. */
export async function readPublicProfile(context: Needs, slug: string) {
  const profile = await findProfileBySlug(context.store, slug);
  if (profile === null) throw new Refusal('NOT_FOUND', 'There is no profile here');
  return describeProfile(context, profile);
}

type Needs = Pick<Context, 'store' | 'publicUrl'>;

/** The picture on the page `/p/{slug}`. Public. Throws {@link Refusal} NOT_FOUND without one. */
export async function readProfileLogo({ store }: Pick<Context, 'store'>, slug: string): Promise<Logo> {
  const logo = isProfileSlug(slug) ? await findLogo(store, slug) : null;
  if (logo === null) throw new Refusal('NOT_FOUND', 'There is no logo here');
  return logo;
}

/** Path of the picture on the page, another one for each picture. */
export const logoPath = (slug: string, tag: string): string => `/p/${slug}/logo?v=${tag}`;

/** The account's own public profile. Throws {@link Refusal} NOT_FOUND while it has none. */
export async function readMyProfile(context: Needs, scope: Scope) {
  const profile = await findProfile(context.store, scope.actingAccountId);
  if (profile === null) throw new Refusal('NOT_FOUND', 'The account has no public profile yet');
  return describeProfile(context, profile);
}

/** Field name in the details of the refusal, which distinguishes it from other CONFLICT answers. */
export const resellerField = 'reseller';

/** Throws {@link Refusal} CONFLICT when the page showed another reseller, by user id, than the present one. */
export function requireShown(reseller: AccountId | null, expected: string): void {
  if (reseller === expected) return;
  throw new Refusal('CONFLICT', 'This is about another reseller now than the one that was shown', {
    details: [problem(resellerField, 'other_reseller')],
  });
}

async function describeProfile({ store, publicUrl }: Needs, profile: ProfileRow) {
  const { _id, slug, displayName, description, logoTag, needsApproval = false } = profile;
  const logoUrl = logoTag === undefined ? null : `${publicUrl}${logoPath(slug, logoTag)}`;
  const ownerHasResellerDeal = await takesMembers(store, _id);
  return { slug, displayName, description, logoUrl, ownerHasResellerDeal, needsApproval };
}

/** Whether accounts can become members of this one: it has an agreement and is not suspended. */
export async function takesMembers(store: StoreConnection, account: AccountId): Promise<boolean> {
  const [hasAgreement, isStopped] = await Promise.all([
    hasResellerAgreement(store, account),
    isSuspended(store, account),
  ]);
  return hasAgreement && !isStopped;
}

/**
 * Creates or changes the account's public profile. Any account may have one, but only a reseller's accepts members. A reseller's
 * former slug stays reserved for it for 90 days; that of another account is free at once. Throws {@link Refusal} CONFLICT when
 * the slug belongs to, or is reserved for, another account.
 */
export async function changeMyProfile(
  context: Needs & Pick<Context, 'confirmCredential' | 'now'>,
  scope: Scope,
  { logo: base64, needsApproval, ...wish }: ProfileWish,
) {
  const logo = typeof base64 === 'string' ? { base64, tag: fingerprintOf(base64).slice(0, 16) } : base64;
  const row = { _id: scope.actingAccountId, ...wish, logo, needsApproval, updatedAt: context.now() };
  await context.confirmCredential(scope);
  const saved = await saveProfile(context.store, row, (before) => changedEntry(scope, row, before));
  if (saved === 'slug_taken') throw new Refusal('CONFLICT', `The slug ${wish.slug} belongs to another account`);
  return describeProfile(context, saved);
}

const changedEntry = (scope: Scope, row: ProfileChange, before: ProfileRow | null): AuditEntry =>
  auditBy(scope, {
    kind: 'profile_changed',
    at: row.updatedAt,
    details: { slug: row.slug, displayName: row.displayName, slugBefore: before?.slug ?? null },
  });
