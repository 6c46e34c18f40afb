/** For answers with a secret, or whose content may change at any time. */
export const noStore = { 'Cache-Control': 'no-store' } as const;
