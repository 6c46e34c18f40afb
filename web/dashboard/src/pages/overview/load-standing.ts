import type {
  ItemListEntry,
  MarketplaceConnection,
  Subscription,
  Webhook,
} from '../../../../../client/generated/types.gen.ts';
import { api, nullWhenMissing } from '../../api/api.ts';
import { isBeingPublished } from '../items/being-published.ts';
import { draftsPath, itemPath } from '../items/item-path.ts';
import { hasNoImages } from '../items/item-states.ts';

/** How the parts of an account are that may need somebody. */
export interface Standing {
  readonly hasKey: boolean;
  /** null: no account of the marketplace is connected. */
  readonly connection: MarketplaceConnection | null;
  readonly webhooks: readonly Webhook[];
  /** Also by the account-level URL: reading its settings would use up the one time that they show the secret. */
  readonly hasDeliveries: boolean;
  readonly subscription: Subscription;
  /** Items that the marketplace refused. */
  readonly failing: Counted;
  /** Drafts none of whose images could be fetched. */
  readonly withoutImages: Counted & { readonly href: string };
  /** Items are for sale that nobody asked to put up as an auction. */
  readonly hasUnlisted: boolean;
}

interface Counted {
  readonly count: number;
  /** There may be more than were read. */
  readonly hasMore: boolean;
}

const itemsRead = 50;
/** Those that are just being published look alike in the query: one of so many tells. */
const unlistedRead = 10;

export async function loadStanding(signal: AbortSignal): Promise<Standing> {
  const [keys, connection, webhooks, deliveries, subscription, failing, drafts, unlisted] = await Promise.all([
    api.listApiKeys({ signal }),
    nullWhenMissing(api.getMarketplaceConnection({ signal })),
    api.listWebhooks({ signal }),
    api.listWebhookDeliveries({ signal }),
    api.getSubscription({ signal }),
    api.listPartnerItems({ query: { marketplaceStatus: 'sync_error', limit: itemsRead }, signal }),
    api.listPartnerItems({ query: { serviceStatus: 'draft', limit: itemsRead }, signal }),
    api.listPartnerItems({
      query: { serviceStatus: 'active', marketplaceStatus: 'pending_sync', limit: unlistedRead },
      signal,
    }),
  ]);
  return {
    hasKey: keys.data.keys.length > 0,
    connection: connection?.data ?? null,
    webhooks: webhooks.data.webhooks,
    hasDeliveries: deliveries.data.deliveries.length > 0,
    subscription: subscription.data,
    failing: { count: failing.data.items.length, hasMore: failing.data.nextCursor !== null },
    withoutImages: countWithoutImages(drafts.data.items, drafts.data.nextCursor !== null),
    hasUnlisted: unlisted.data.items.some((item) => !isBeingPublished(item)),
  };
}

function countWithoutImages(drafts: readonly ItemListEntry[], hasMoreDrafts: boolean): Standing['withoutImages'] {
  const found = drafts.filter(hasNoImages);
  const [only, ...others] = found;
  const href = only !== undefined && others.length === 0 ? itemPath(only.externalId, undefined) : draftsPath;
  return { count: found.length, hasMore: hasMoreDrafts && found.length > 0, href };
}
