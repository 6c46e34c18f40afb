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
