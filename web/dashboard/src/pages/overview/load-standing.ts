import type { MarketplaceConnection, Subscription, Webhook } from '../../../../../client/generated/types.gen.ts';
import { api, nullWhenMissing } from '../../api/api.ts';
import { isBeingPublished } from '../items/being-published.ts';
import { countProblems, type CountedItems } from './count-problems.ts';

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
  /** Items with a problem, by its kind. */
  readonly problems: readonly CountedItems[];
  /** There are items for sale whose auction was never requested. */
  readonly hasUnlisted: boolean;
}

/** Items that are being published look the same in the query, so several are read to find one that is not. */
const unlistedRead = 10;

export async function loadStanding(signal: AbortSignal): Promise<Standing> {
  const [keys, connection, webhooks, deliveries, subscription, problems, unlisted] = await Promise.all([
    api.listApiKeys({ signal }),
    nullWhenMissing(api.getMarketplaceConnection({ signal })),
    api.listWebhooks({ signal }),
    api.listWebhookDeliveries({ query: { limit: 1 }, signal }),
    api.getSubscription({ signal }),
    countProblems(signal),
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
    problems,
    hasUnlisted: unlisted.data.items.some((item) => !isBeingPublished(item)),
  };
}
