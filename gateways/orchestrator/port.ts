import type { AccountId, BulkSyncId, DeliveryId, ItemId, RecoveryId } from '../../core/ids.ts';

export interface NudgedItem {
  readonly itemId: ItemId;
  readonly accountId: AccountId;
  readonly externalId: string;
  /** How the account's reseller calls it; null or left out when it has none, or that is not known. */
  readonly member?: string | null;
  /** `X-Request-Id` of the call that left the work; null when no call did. */
  readonly requestId?: string | null;
  /** It is one of many of its account: other work goes first. */
  readonly isBacklog?: true;
}

export interface StartedDelivery {
  readonly deliveryId: DeliveryId;
  /** Whose item it is about: for scope members not the account of the target. */
  readonly accountId: AccountId;
  readonly member?: string | null;
  readonly externalId: string;
  readonly eventType: string;
  /** Webhook endpoint id, or `account` for the account-level URL: the fairness key. */
  readonly target: string;
}

export interface StartedRecovery {
  readonly recoveryId: RecoveryId;
  /** Whose target it is. */
  readonly accountId: AccountId;
  readonly member?: string | null;
  /** As of deliveries: they share their line. */
  readonly target: string;
}

export interface StartedBulkSync {
  readonly bulkId: BulkSyncId;
  /** Whose bulk sync it is. */
  readonly accountId: AccountId;
  readonly member?: string | null;
}

/** The engine can't be reached: nothing was started. Every other failure leaves open whether it was. */
export class OrchestratorUnavailable extends Error {
  override readonly name = 'OrchestratorUnavailable';
  constructor(cause: unknown) {
    super('the workflow engine is out of reach', { cause });
  }
}

/** What the product needs from the durable engine. Every call is a hint: the sweep repeats what got lost. */
export interface Orchestrator {
  /** Signal-with-start of `item:<itemId>`. Throws {@link OrchestratorUnavailable} or the engine's error; the write is safe all the same. */
  nudgeItem(item: NudgedItem): Promise<void>;
  /** Starts `delivery:<deliveryId>` once; starting it again is a no-op. */
  startDelivery(delivery: StartedDelivery): Promise<void>;
  /** Starts `recovery:<recoveryId>` once; starting it again is a no-op. */
  startRecovery(recovery: StartedRecovery): Promise<void>;
  /** Starts `bulk:<bulkId>` once; starting it again is a no-op. */
  startBulkSync(bulk: StartedBulkSync): Promise<void>;
}
