import type { AccountId, BulkSyncId, DeliveryId, ItemId, RecoveryId } from '../../core/ids.ts';

/** Workflow type of an item's life; one running instance for each item that owes work. */
export const itemLifecycleType = 'itemLifecycle';
/** The workflow id of an item. The engine refuses a second running workflow with the same id. */
export const itemWorkflowId = (itemId: ItemId): string => `item:${itemId}`;

export interface ItemLifecycleInput {
  readonly itemId: ItemId;
  readonly accountId: AccountId;
}

/** Workflow type of one bulk sync. */
export const bulkSyncType = 'bulkSync';
/** The workflow id of a bulk sync. */
export const bulkSyncWorkflowId = (id: BulkSyncId): string => `bulk:${id}`;

export interface BulkSyncInput {
  readonly bulkId: BulkSyncId;
  /** Owner of the bulk sync. */
  readonly accountId: AccountId;
}

/** Below the priority of single writes (3), so that a bulk sync does not delay other callers. */
export const bulkPriorityKey = 4;

/** Workflow type of one delivery: one event on its way to one target. */
export const deliverEventType = 'deliverEvent';
/** The workflow id of a delivery. */
export const deliveryWorkflowId = (deliveryId: DeliveryId): string => `delivery:${deliveryId}`;

export interface DeliverEventInput {
  readonly deliveryId: DeliveryId;
}

/** Workflow type that shows a webhook target in trouble; one running instance for each. It makes no attempt. */
export const receiverTroubleType = 'receiverTrouble';
/** The workflow id of a target in trouble. @param target key of the target, as in deliveries */
export const receiverWorkflowId = (target: string): string => `receiver:${target}`;

export interface ReceiverTroubleInput {
  /** Key of the target, as in deliveries. */
  readonly target: string;
}

/** Workflow type of one run that sends the missed events of a target again. */
export const recoverEndpointType = 'recoverEndpoint';
/** The workflow id of a recovery. */
export const recoveryWorkflowId = (id: RecoveryId): string => `recovery:${id}`;

export interface RecoverEndpointInput {
  readonly recoveryId: RecoveryId;
}

/** Signal without data: the stored row has changed, read it again. */
export const lookAgainSignalName = 'look-again';

/** Signal of an operator, without data: try again now what failed, was given up or waits. */
export const retrySignalName = 'retry';

/**
 * Task queues: a base name (`itembridge`, or another one per test) with a suffix per kind of work. So CPU-heavy images, the
 * marketplace's budget and slow receivers each have their own queue.
 */
export const queueKinds = [
  'items',
  'images',
  'enrichment',
  'marketplace',
  'deliveries',
  'attempts',
  'recoveries',
  'bulks',
] as const;
export type QueueKind = (typeof queueKinds)[number];

/** The full name of a queue, such as `itembridge.images`. */
export const queueName = (base: string, kind: QueueKind): string => `${base}.${kind}`;

/** The queue of another kind with the same base name as the workflow's own. */
export const siblingQueue = (ownQueue: string, kind: QueueKind): string =>
  queueName(ownQueue.slice(0, ownQueue.lastIndexOf('.')), kind);
