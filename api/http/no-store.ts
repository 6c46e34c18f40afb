/** For answers that hold a secret or change without notice. */
export const noStore = { 'Cache-Control': 'no-store' } as const;
