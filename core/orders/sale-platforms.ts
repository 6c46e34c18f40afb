/** Where a partner may sell beside the marketplace: reported by direct sales. Source: interface-decisions "Orders". */
export const directPlatforms = ['service', 'service_card', 'service_mobile'] as const;
export type DirectPlatform = (typeof directPlatforms)[number];

/** Source: specification "Envelope". */
export type SalePlatform = 'marketplace' | DirectPlatform;
