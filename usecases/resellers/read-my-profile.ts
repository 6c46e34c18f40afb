import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { findProfile } from '../../store/resellers/profiles.ts';
import type { Context } from '../context.ts';
import { describeProfile, type PublicProfile } from './describe-profile.ts';

/** The account's own public profile. Throws {@link Refusal} NOT_FOUND as long as it has none. */
export async function readMyProfile(context: Pick<Context, 'store'>, scope: Scope): Promise<PublicProfile> {
  const profile = await findProfile(context.store, scope.actingAccountId);
  if (profile === null) throw new Refusal('NOT_FOUND', 'The account has no public profile yet');
  return describeProfile(context.store, profile);
}
