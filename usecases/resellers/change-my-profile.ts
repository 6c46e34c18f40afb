import { auditBy } from '../../core/audit/audit-by.ts';
import type { AuditEntry } from '../../core/audit/audit-entry.ts';
import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import type { ProfileWish } from '../../schemas/resellers/my-profile.ts';
import { saveProfile, type ProfileRow } from '../../store/resellers/profiles.ts';
import type { Context } from '../context.ts';
import { describeProfile, type PublicProfile } from './describe-profile.ts';

/**
 * Makes the account's public profile, or changes it; any account may have one, but only under a reseller's members can join. A
 * reseller's former slug is kept for it for 90 days, another's is free at once. Throws {@link Refusal} CONFLICT when another account
 * has the slug, or has it kept.
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
    message: before === null ? `The account has a public page, ${row.slug}` : `The public page ${row.slug} was changed`,
    details: { slug: row.slug, displayName: row.displayName, slugBefore: before?.slug ?? null },
  });
