/**
 * The application that the marketplace simulator accepts by default. It is no secret, because it gives access to
 * nothing else.
 */
export const defaultApplication = {
  appId: '1000',
  appKey: 'simulator-application-key',
  publicKey: 'simulator-public-key',
} as const;
