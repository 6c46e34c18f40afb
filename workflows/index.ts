// The registry: every workflow type that the workers host. The one barrel of the project, because the SDK asks for it.
export { bulkSync } from './bulk-syncs/bulk-sync.ts';
export { itemLifecycle } from './items/item-lifecycle.ts';
export { deliverEvent } from './webhooks/deliver-event.ts';
export { recoverEndpoint } from './webhooks/recover-endpoint.ts';
