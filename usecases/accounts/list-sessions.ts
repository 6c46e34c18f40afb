import type { Scope } from '../../core/scope.ts';
import { listOpenSessions } from '../../store/accounts/sessions.ts';
import type { Context } from '../context.ts';

export interface SessionView {
  readonly id: string;
  readonly createdAt: string;
  /** When its access token was renewed last, which happens every 15 minutes while it is used. */
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  /** Where it was opened from; null for sessions from before that was kept. */
  readonly address: string | null;
  readonly userAgent: string | null;
  /** Whether it is the one that asks. */
  readonly isCurrent: boolean;
}

/** The open sessions of the account, newest first. */
export async function listSessions(
  { store, now }: Pick<Context, 'store' | 'now'>,
  { actingAccountId, credential }: Scope,
): Promise<readonly SessionView[]> {
  const rows = await listOpenSessions(store, actingAccountId, now());
  return rows.map((row) => ({
    id: row._id,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: (row.previous?.rotatedAt ?? row.createdAt).toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    address: row.address ?? null,
    userAgent: row.userAgent ?? null,
    isCurrent: credential.kind === 'session' && credential.sessionId === row._id,
  }));
}
