import type { AccountId, BulkSyncId, DeliveryId, ItemId } from '../../features/rules/ids.ts';

/** Workflow type of an item's life; one running instance for each item that owes work. */
export const itemLifecycleType = 'itemLifecycle';
/** The workflow id of an item. The engine refuses a second running workflow with the same id. */
export const itemWorkflowId = (itemId: ItemId): string => `item:${itemId}`;

export interface ItemLifecycleInput {
  readonly itemId: ItemId;
  readonly accountId: AccountId;
}

export const bulkSyncType = 'bulkSync';
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
export const deliveryWorkflowId = (deliveryId: DeliveryId): string => `delivery:${deliveryId}`;

export interface DeliverEventInput {
  readonly deliveryId: DeliveryId;
  /** Owner of the target. */
  readonly accountId: AccountId;
  /** The number of its first attempt. */
  readonly attempt: number;
}

/** Workflow type of a webhook target with something to send; one running instance for each. */
export const receiverType = 'receiver';
/** The workflow id of a target. @param target key of the target, as in deliveries */
export const receiverWorkflowId = (target: string): string => `receiver:${target}`;

export interface ReceiverInput {
  /** Key of the target, as in deliveries. */
  readonly target: string;
  /** Owner of the target. */
  readonly accountId: AccountId;
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
  'receivers',
  'bulks',
] as const;
export type QueueKind = (typeof queueKinds)[number];

/** The full name of a queue, such as `itembridge.images`. */
export const queueName = (base: string, kind: QueueKind): string => `${base}.${kind}`;

/** The queue of another kind with the same base name as the workflow's own. */
export const siblingQueue = (ownQueue: string, kind: QueueKind): string =>
  queueName(ownQueue.slice(0, ownQueue.lastIndexOf('.')), kind);
