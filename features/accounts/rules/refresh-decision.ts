const dayMs = 86_400_000;

/** A session ends after this time without a renewal, and after `sessionLifetimeMs` however often it is renewed. */
export const sessionIdleMs = 7 * dayMs;
export const sessionLifetimeMs = 30 * dayMs;
/** How long after a renewal the token that was used for it gets the same answer again. */
export const renewalRepeatMs = 30_000;

/** The state that a renewal depends on. Secrets are stored as hashes only. */
export interface RenewalState {
  readonly secretHash: string;
  /** The previous secret, and when it was replaced. */
  readonly previous: { readonly secretHash: string; readonly rotatedAt: Date } | null;
  readonly expiresAt: Date;
  readonly endedAt: Date | null;
}

/**
 * `rotate`: the newest token, unused so far. `repeat`: the previous token, within {@link renewalRepeatMs} and with its successor
 * unused: two tabs at once, or a lost answer. `reuse`: any other token of the session, which means that it was copied.
 * `over`: the session has ended or expired.
 */
export type RefreshDecision = 'rotate' | 'repeat' | 'reuse' | 'over';

/** Decides on a presented token. `presentedHash` is the hash of its secret. */
export function decideRefresh(state: RenewalState, presentedHash: string, now: Date): RefreshDecision {
  if (state.endedAt !== null || state.expiresAt <= now) return 'over';
  if (presentedHash === state.secretHash) return 'rotate';
  const { previous } = state;
  // A used successor would itself be the previous token, so here it is unused.
  const isPrevious = previous !== null && presentedHash === previous.secretHash;
  return isPrevious && now.getTime() - previous.rotatedAt.getTime() < renewalRepeatMs ? 'repeat' : 'reuse';
}

/** When a session expires that is opened or renewed now. */
export const sessionExpiry = (createdAt: Date, now: Date): Date =>
  new Date(Math.min(createdAt.getTime() + sessionLifetimeMs, now.getTime() + sessionIdleMs));
