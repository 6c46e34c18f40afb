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
