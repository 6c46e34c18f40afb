/** The key that the simulator asks for unless it is told another. */
export const defaultRegistryKey = 'simulator-registry-key';
