/** `test`: what it does reaches the simulated marketplace, never the real one. A key says so by its first letters. */
export const keyModes = ['live', 'test'] as const;
export type KeyMode = (typeof keyModes)[number];
