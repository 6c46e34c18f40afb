// The registry of all workflow types. The only barrel file of the project, because the SDK requires it.
export { bulkSync } from './bulk-syncs/bulk-sync.ts';
export { itemLifecycle } from './items/item-lifecycle.ts';
export { deliverEvent } from './deliveries/deliver-event.ts';
export { receiver } from './webhooks/receiver.ts';
