/** `test`: what it does reaches the simulated marketplace, never the real one. A key says so by its first letters. */
export const keyModes = ['live', 'test'] as const;
export type KeyMode = (typeof keyModes)[number];

/** What a key may be allowed to do. `write` of a noun includes its `read`. */
export const keyScopes = [
  'items:read',
  'items:write',
  'orders:read',
  'orders:write',
  'webhooks:read',
  'webhooks:write',
] as const;

export type KeyScope = (typeof keyScopes)[number];

/** Whether a key with these scopes may make a call that needs one. A key without a list has every scope. */
export function isScopeGranted(scopes: readonly KeyScope[] | undefined, needed: KeyScope): boolean {
  return (
    scopes === undefined || scopes.some((scope) => scope === needed || scope === needed.replace(':read', ':write'))
  );
}

/** `expiring`: in so many days at most. */
export const keyStates = ['active', 'expiring', 'expired'] as const;
export type KeyState = (typeof keyStates)[number];

const warnedAheadMs = 14 * 86_400_000;

/** Long enough before the end to have another key made and put in place. */
export function keyStateOf({ expiresAt }: { readonly expiresAt?: Date | undefined }, now: Date): KeyState {
  if (expiresAt === undefined) return 'active';
  const leftMs = expiresAt.getTime() - now.getTime();
  if (leftMs <= 0) return 'expired';
  return leftMs <= warnedAheadMs ? 'expiring' : 'active';
}
