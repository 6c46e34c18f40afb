import { afterRecovery } from '../../core/webhooks/endpoint-life.ts';
import { autoRecoverWindowMs, type Recovery } from '../../core/webhooks/recovery.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { isAnyMissed } from '../../store/deliveries/missed-deliveries.ts';
import { replaceRecovery } from '../../store/deliveries/recoveries.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import { changeEndpointLife } from '../../store/webhooks/webhook-endpoints.ts';

/** Ends a run and says to its endpoint, in the same transaction, whether and when another one is due. */
export function endRecovery(
  store: StoreConnection,
  { previous, next }: { previous: Recovery; next: Recovery },
): Promise<void> {
  const { target, endpointId, updatedAt: now } = next;
  return inTransaction(store, async (session) => {
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
}
