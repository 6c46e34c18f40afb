/** The version of packages/client/package.json; a test compares the two. */
export const clientVersion = '0.2.0';

/**
 * `User-Agent` of every call, so that support sees which client asks: `my-erp/3.1 itembridge-client/0.2.0 (node/24.1.0;
 * linux)`. @param application the program that uses the client
 */
export const userAgentOf = (application: string | undefined): string =>
  [application, `itembridge-client/${clientVersion}`, `(node/${process.versions.node}; ${process.platform})`]
    .filter((part) => part !== undefined)
    .join(' ');
