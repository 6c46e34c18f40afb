/** `serviceStatus` of the interface. Source: specification "Item status". */
export const serviceStatuses = ['draft', 'active', 'sold', 'not_listed', 'archived'] as const;
export type ServiceStatus = (typeof serviceStatuses)[number];

/** `marketplaceStatus` of the interface. Source: specification "Marketplace status". */
export const marketplaceStatuses = ['active', 'sold', 'ended', 'pending_sync', 'sync_error'] as const;
export type MarketplaceStatus = (typeof marketplaceStatuses)[number];
