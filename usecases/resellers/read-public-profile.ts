import { Refusal } from '../../core/errors.ts';
import { findProfileBySlug } from '../../store/resellers/profiles.ts';
import type { Context } from '../context.ts';
import { describeProfile, type PublicProfile } from './describe-profile.ts';

/** Open to everybody. Throws {@link Refusal} NOT_FOUND for an unknown slug. */
export async function readPublicProfile(context: Pick<Context, 'store'>, slug: string): Promise<PublicProfile> {
  const profile = await findProfileBySlug(context.store, slug);
  if (profile === null) throw new Refusal('NOT_FOUND', 'There is no profile here');
  return describeProfile(context.store, profile);
}
