import type {
  ItemListEntry,
  MarketplaceConnection,
  Subscription,
  Webhook,
} from '../../../../../client/generated/types.gen.ts';
import { api, nullWhenMissing } from '../../api/api.ts';
import { isBeingPublished } from '../items/being-published.ts';
import { draftsPath, itemPath } from '../items/item-path.ts';
import { hasNoImages } from '../items/being-published.ts';

/** The parts of an account that may need attention. */
export interface Standing {
  readonly hasKey: boolean;
  /** null: no marketplace account is connected. */
  readonly connection: MarketplaceConnection | null;
  readonly webhooks: readonly Webhook[];
  /**
   * Deliveries to the account-level URL count, too. Its settings are not read here, because the first read is the only
   * one that shows the secret.
   */
  readonly hasDeliveries: boolean;
  readonly subscription: Subscription;
  /** Items that the marketplace refused. */
  readonly failing: Counted;
  /** Drafts of which no image could be fetched. */
  readonly withoutImages: Counted & { readonly href: string };
  /** There are items for sale whose auction was never requested. */
  readonly hasUnlisted: boolean;
}

interface Counted {
  readonly count: number;
  /** More exist than were read. */
  readonly hasMore: boolean;
}

const itemsRead = 50;
/** Items that are being published look the same in the query, so several are read to find one that is not. */
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
