/** The application that the marketplace simulator knows unless it is told another; no secret, it opens nothing else. */
export const defaultApplication = { appId: '1000', appKey: 'simulator-application-key' } as const;
