import type { StoreConnection } from '../../store/database/connection.ts';
import { hasResellerAgreement } from '../../store/resellers/deals.ts';
import type { ProfileRow } from '../../store/resellers/profiles.ts';

export interface PublicProfile {
  readonly slug: string;
  readonly displayName: string;
  readonly description: string;
  readonly ownerHasResellerDeal: boolean;
}

/** As everybody sees it. */
export async function describeProfile(store: StoreConnection, profile: ProfileRow): Promise<PublicProfile> {
  const { slug, displayName, description } = profile;
  return { slug, displayName, description, ownerHasResellerDeal: await hasResellerAgreement(store, profile._id) };
}
