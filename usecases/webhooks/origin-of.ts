/** What of an address may be told in a log: paths and queries of webhook URLs are often as good as a password. */
export const originOf = (url: string): string => new URL(url).origin;
