import type { AccountId, DeliveryId, ItemId } from '../../core/ids.ts';

export interface NudgedItem {
  readonly itemId: ItemId;
  readonly accountId: AccountId;
  readonly externalId: string;
}

export interface StartedDelivery {
  readonly deliveryId: DeliveryId;
  readonly accountId: AccountId;
  readonly externalId: string;
  readonly eventType: string;
  /** Webhook endpoint id, or `account` for the account-level URL: the fairness key. */
  readonly target: string;
}

/** What the product needs from the durable engine. Every call is a hint: the sweep repeats what got lost. */
export interface Orchestrator {
  /** Signal-with-start of `item:<itemId>`. Throws when the engine is out of reach; the write is safe all the same. */
  nudgeItem(item: NudgedItem): Promise<void>;
  /** Starts `delivery:<deliveryId>` once; starting it again is a no-op. */
  startDelivery(delivery: StartedDelivery): Promise<void>;
}
