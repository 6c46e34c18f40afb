import type { AccountId, BulkSyncId, DeliveryId, ItemId } from '../../features/rules/ids.ts';

export interface SignalledItem {
  readonly itemId: ItemId;
  readonly accountId: AccountId;
  readonly externalId: string;
  /** `X-Request-Id` of the call that caused the work; null without a call. */
  readonly requestId?: string | null;
  /** One of many items of its account, so other work goes first. */
  readonly isBacklog?: true;
}

export interface StartedDelivery {
  readonly deliveryId: DeliveryId;
  /** Owner of the target. */
  readonly ownerId: AccountId;
  /** Owner of the item; for scope members not the account of the target. */
  readonly accountId: AccountId;
  readonly externalId: string;
  readonly eventType: string;
  /** Key of the target: the fairness key. */
  readonly target: string;
  /** The number of the workflow's first attempt; the earlier ones were made before. */
  readonly attempt: number;
}

export interface StartedReceiver {
  /** Key of the target. */
  readonly target: string;
  /** Owner of the target. */
  readonly accountId: AccountId;
}

export interface StartedBulkSync {
  readonly bulkId: BulkSyncId;
  /** Owner of the bulk sync. */
  readonly accountId: AccountId;
}

/** The engine can't be reached, so nothing was started. After any other error the outcome is unknown. */
export class OrchestratorUnavailable extends Error {
  override readonly name = 'OrchestratorUnavailable';
  /** @param whatToDo for operators, where the reason is known */
  constructor(cause: unknown, whatToDo?: string) {
    super(`the workflow engine is out of reach${whatToDo === undefined ? '' : `: ${whatToDo}`}`, { cause });
  }
}

/** The durable engine as the product uses it. A relay repeats every call that is lost, so each may be repeated. */
export interface Orchestrator {
  /**
   * Signal-with-start of `item:<itemId>`. Throws {@link OrchestratorUnavailable} or the engine's error; the stored write is not
   * affected.
   */
  signalItem(item: SignalledItem): Promise<void>;
  /** Starts `receiver:<target>`, which has something to send; no effect while it runs. */
  startReceiver(receiver: StartedReceiver): Promise<void>;
  /** The same for a target that has changed: one that runs looks again. */
  signalReceiver(receiver: StartedReceiver): Promise<void>;
  /** Starts `delivery:<deliveryId>` once; starting it again is a no-op. */
  startDelivery(delivery: StartedDelivery): Promise<void>;
  /** Starts `bulk:<bulkId>` once; starting it again is a no-op. */
  startBulkSync(bulk: StartedBulkSync): Promise<void>;
}
