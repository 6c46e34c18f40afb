const dayMs = 86_400_000;

/** A session that nobody renews for so long is over; so is every session that old, however often it is renewed. */
export const sessionIdleMs = 7 * dayMs;
export const sessionLifetimeMs = 30 * dayMs;
/** How long after a renewal the token that was used for it gets the same answer again. */
export const renewalRepeatMs = 30_000;

/** What a renewal depends on. Secrets are known by their hashes only. */
export interface RenewalState {
  readonly secretHash: string;
  /** The one before, and when it was replaced. */
  readonly previous: { readonly secretHash: string; readonly rotatedAt: Date } | null;
  readonly expiresAt: Date;
  readonly endedAt: Date | null;
}

/**
 * `rotate`: the newest token, never used so far. `repeat`: the one just before, within moments, while its successor is
 * unused: two tabs at once, or an answer that got lost. `reuse`: any other token of the session: somebody holds a copy.
 * `over`: nothing of this session counts any more.
 */
export type RefreshDecision = 'rotate' | 'repeat' | 'reuse' | 'over';

export function decideRefresh(state: RenewalState, presentedHash: string, now: Date): RefreshDecision {
  if (state.endedAt !== null || state.expiresAt <= now) return 'over';
  if (presentedHash === state.secretHash) return 'rotate';
  const { previous } = state;
  // Had the successor been used, it would be the previous one itself.
  const isPrevious = previous !== null && presentedHash === previous.secretHash;
  return isPrevious && now.getTime() - previous.rotatedAt.getTime() < renewalRepeatMs ? 'repeat' : 'reuse';
}

/** When a session is over that is opened or renewed now. */
export const sessionExpiry = (createdAt: Date, now: Date): Date =>
  new Date(Math.min(createdAt.getTime() + sessionLifetimeMs, now.getTime() + sessionIdleMs));
