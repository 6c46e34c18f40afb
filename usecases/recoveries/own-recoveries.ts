import type { EndpointId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { afterRecovery } from '../../core/webhooks/endpoint-life.ts';
import { type Recovery, autoRecoverWindowMs } from '../../core/webhooks/recovery.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import { isAnyMissed } from '../../store/deliveries/missed-deliveries.ts';
import { listRecoveries, replaceRecovery } from '../../store/deliveries/recoveries.ts';
import { hurryTrouble } from '../../store/webhooks/receivers-in-trouble.ts';
import { changeEndpointLife } from '../../store/webhooks/webhook-endpoints.ts';
import type { Context } from '../context.ts';
import { findTarget } from '../webhooks/webhook-target.ts';

const rowsMax = 20;

/** Lists the 20 newest recoveries, newest first, with progress and stop reason. Throws {@link Refusal} NOT_FOUND. */
export async function listTargetRecoveries(
  { store }: Pick<Context, 'store'>,
  scope: Scope,
  endpointId: EndpointId | null,
): Promise<readonly RecoveryView[]> {
  const { accountId, target } = await findTarget(store, scope.actingAccountId, endpointId);
  return (await listRecoveries(store, { accountId, target, rowsMax })).map(describeRecovery);
}

export interface RecoveryView {
  readonly id: string;
  readonly endpointId?: string;
  readonly kind: 'manual' | 'auto';
  readonly state: 'running' | 'finished' | 'stopped';
  readonly stoppedBecause: string | null;
  readonly since: string;
  readonly until: string;
  readonly total: number;
  readonly sent: number;
  readonly failed: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const describeRecovery = (recovery: Recovery): RecoveryView => ({
  id: recovery.id,
  ...(recovery.endpointId !== null && { endpointId: recovery.endpointId }),
  kind: recovery.kind,
  state: recovery.state,
  stoppedBecause: recovery.stoppedBecause,
  since: recovery.since.toISOString(),
  until: recovery.until.toISOString(),
  // Deliveries under way at the start may have been missed a moment later.
  total: Math.max(recovery.total, recovery.sent + recovery.failed),
  sent: recovery.sent,
  failed: recovery.failed,
  createdAt: recovery.createdAt.toISOString(),
  updatedAt: recovery.updatedAt.toISOString(),
});

/** Ends a run. The same transaction tells its endpoint whether and when another run is due; operators see it at once. */
export async function endRecovery(
  store: StoreConnection,
  { previous, next }: { previous: Recovery; next: Recovery },
): Promise<void> {
  const { target, endpointId, updatedAt: now } = next;
  await inTransaction(store, async (session) => {
    const isOurs = await replaceRecovery(store, { previous, next, session });
    if (!isOurs || endpointId === null) return;
    const since = new Date(now.getTime() - autoRecoverWindowMs);
    const isMissing = await isAnyMissed(store, { target, since, until: now }, session);
    const hasFailed = next.failed > 0 || next.state === 'stopped';
    await changeEndpointLife(store, endpointId, {
      next: (life) => afterRecovery(life, { isMissing, hasFailed, now }),
      session,
    });
  });
  await hurryTrouble(store, target, { now });
}
