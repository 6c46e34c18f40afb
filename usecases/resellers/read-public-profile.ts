import { Refusal } from '../../core/errors.ts';
import { hasResellerAgreement } from '../../store/deals.ts';
import { findProfileBySlug } from '../../store/profiles.ts';
import type { AccountSideContext } from '../account-side-context.ts';

export interface PublicProfile {
  readonly slug: string;
  readonly displayName: string;
  readonly description: string;
  readonly ownerHasResellerDeal: boolean;
}

/** Open to everybody. Throws {@link Refusal} NOT_FOUND for an unknown slug. */
export async function readPublicProfile(
  context: Pick<AccountSideContext, 'store'>,
  slug: string,
): Promise<PublicProfile> {
  const profile = await findProfileBySlug(context.store, slug);
  if (profile === null) throw new Refusal('NOT_FOUND', 'There is no profile here');
  const { displayName, description } = profile;
  const ownerHasResellerDeal = await hasResellerAgreement(context.store, profile._id);
  return { slug: profile.slug, displayName, description, ownerHasResellerDeal };
}
