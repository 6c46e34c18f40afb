import { randomUUID } from 'node:crypto';
import { recoveryId } from '../../core/ids.ts';
import { afterRecovery, recoveryPauseMs } from '../../core/webhooks/endpoint-life.ts';
import { targetKeyOf } from '../../core/webhooks/delivery-id.ts';
import { autoRecoverSince, newRecovery, type Recovery } from '../../core/webhooks/recovery.ts';
import type { Orchestrator, StartedRecovery } from '../../gateways/orchestrator/port.ts';
import type { StoreConnection } from '../../store/connection.ts';
import { countMissed } from '../../store/missed-deliveries.ts';
import { claimNeglected, findRunning, insertRecovery } from '../../store/recoveries.ts';
import { inTransaction } from '../../store/transaction.ts';
import { changeEndpointLife, findDueForRecovery, type WebhookEndpointRow } from '../../store/webhook-endpoints.ts';
import { hintAll } from '../hints.ts';

export interface RecoverySweepDependencies {
  readonly store: StoreConnection;
  readonly orchestrator: Pick<Orchestrator, 'startRecovery'>;
  readonly now: () => Date;
}

const rowsMax = 100;

export const startOfRecovery = ({ id, accountId, target }: Recovery): StartedRecovery => ({
  recoveryId: id,
  accountId,
  target,
});

/** Begins the recoveries that are due by themselves, and starts the workflow of every run whose start or workflow was lost. */
export async function sweepRecoveries({ store, orchestrator, now }: RecoverySweepDependencies): Promise<number> {
  const due = await findDueForRecovery(store, now(), rowsMax);
  for (const endpoint of due) await beginDue(store, endpoint, now());
  const neglected = await claimNeglected(store, now(), rowsMax);
  const begun = await hintAll(neglected, (recovery) => orchestrator.startRecovery(startOfRecovery(recovery)));
  return due.length + neglected.length - begun.length;
}

/** The wish for a recovery and the run itself change hands in one transaction. */
async function beginDue(store: StoreConnection, endpoint: WebhookEndpointRow, now: Date): Promise<void> {
  const { _id: endpointId, accountId } = endpoint;
  const target = targetKeyOf({ accountId, endpointId });
  await inTransaction(store, async (session) => {
    const isRunning = (await findRunning(store, target, session)) !== null;
    const since = autoRecoverSince(endpoint.missedSince, now);
    const total = since === null ? 0 : await countMissed(store, { target, since, until: now }, session);
    if (!isRunning && since !== null && total > 0) {
      const wish = { id: recoveryId(randomUUID()), accountId, target, endpointId, kind: 'auto', since, total } as const;
      await insertRecovery(store, newRecovery({ ...wish, createdAt: now }), session);
    }
    await changeEndpointLife(store, endpointId, {
      session,
      next: (life) => {
        if (life.recoverAt === null) return life;
        if (isRunning) return { ...life, recoverAt: new Date(now.getTime() + recoveryPauseMs(0)) };
        return total > 0
          ? { ...life, recoverAt: null }
          : afterRecovery(life, { isMissing: false, hasFailed: false, now });
      },
    });
  });
}
