import type { AccountId, ItemId } from '../../core/ids.ts';

/** Workflow type of an item's life; one running instance for each item that owes work. */
export const itemLifecycleType = 'itemLifecycle';
export const itemWorkflowId = (itemId: ItemId): string => `item:${itemId}`;

export interface ItemLifecycleInput {
  readonly itemId: ItemId;
  readonly accountId: AccountId;
}
