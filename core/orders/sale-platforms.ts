/** Platforms on which a partner sells beside the marketplace, reported as direct sales. Source: interface-decisions "Orders". */
export const directPlatforms = ['service', 'service_card', 'service_mobile'] as const;
export type DirectPlatform = (typeof directPlatforms)[number];

/** Source: specification "Envelope". */
export type SalePlatform = 'marketplace' | DirectPlatform;
