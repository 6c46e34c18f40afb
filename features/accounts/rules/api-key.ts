/**
 * A `test` key acts at the simulated marketplace and never at the real one. The first letters of a key show its mode.
 */
export const keyModes = ['live', 'test'] as const;
export type KeyMode = (typeof keyModes)[number];

/** The scopes of a key. `write` of a noun includes its `read`. */
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

/** `expiring`: the key ends within the warning time below. */
export const keyStates = ['active', 'expiring', 'expired'] as const;
export type KeyState = (typeof keyStates)[number];

const warnedAheadMs = 14 * 86_400_000;

/**
 * The state of a key at `now`. It is `expiring` in its last 14 days: long enough to create another key and put it in
 * place.
 */
export function keyStateOf({ expiresAt }: { readonly expiresAt?: Date | undefined }, now: Date): KeyState {
  if (expiresAt === undefined) return 'active';
  const leftMs = expiresAt.getTime() - now.getTime();
  if (leftMs <= 0) return 'expired';
  return leftMs <= warnedAheadMs ? 'expiring' : 'active';
}
