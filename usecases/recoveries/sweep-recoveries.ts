import { randomUUID } from 'node:crypto';
import { recoveryId } from '../../core/ids.ts';
import { afterRecovery, recoveryPauseMs, type EndpointLife } from '../../core/webhooks/endpoint-life.ts';
import { targetKeyOf } from '../../core/webhooks/delivery-id.ts';
import { autoRecoverWindowMs, failedInARowMaxOf, newRecovery, type Recovery } from '../../core/webhooks/recovery.ts';
import type { Orchestrator, StartedRecovery } from '../../gateways/orchestrator/port.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { countMissed } from '../../store/deliveries/missed-deliveries.ts';
import { claimNeglected, findRunning, insertRecovery, releaseNeglected } from '../../store/deliveries/recoveries.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import {
  changeEndpointLife,
  findDueForRecovery,
  type WebhookEndpointRow,
} from '../../store/webhooks/webhook-endpoints.ts';
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

/** Interval of the retries while the engine is unavailable. */
const retryMs = 2_000;

/** Starts the automatic recoveries that are due, and the workflow of every run whose start or workflow was lost. */
export async function sweepRecoveries({ store, orchestrator, now }: RecoverySweepDependencies): Promise<number> {
  const due = await findDueForRecovery(store, now(), rowsMax);
  // One that can't be begun must not keep the others from it.
  const begun = await Promise.allSettled(due.map((endpoint) => beginDue(store, endpoint, now())));
  const neglected = await claimNeglected(store, now(), rowsMax);
  const lost = await hintAll(neglected, (recovery) => orchestrator.startRecovery(startOfRecovery(recovery)));
  const lostIds = lost.map(({ id }) => id);
  if (lost.length > 0) await releaseNeglected(store, lostIds, new Date(now().getTime() + retryMs));
  const failed = begun.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return due.length + neglected.length - lost.length;
}

/** Clears the due time and inserts the run in one transaction. The missed events are found through the deliveries. */
async function beginDue(store: StoreConnection, endpoint: WebhookEndpointRow, now: Date): Promise<void> {
  const { _id: endpointId, accountId } = endpoint;
  const target = targetKeyOf({ accountId, endpointId });
  const since = new Date(now.getTime() - autoRecoverWindowMs);
  await inTransaction(store, async (session) => {
    const isRunning = (await findRunning(store, target, session)) !== null;
    const total = isRunning ? 0 : await countMissed(store, { target, since, until: now }, session);
    const begin = { tries: 0, isWanted: false };
    await changeEndpointLife(store, endpointId, {
      session,
      next: (life) => {
        begin.isWanted = life.recoverAt !== null && !isRunning && total > 0;
        begin.tries = life.recoverTries;
        return afterDue(life, { isRunning, isMissing: total > 0, now });
      },
    });
    if (!begin.isWanted) return;
    const failedInARowMax = failedInARowMaxOf('auto', begin.tries);
    const wish = {
      accountId,
      target,
      endpointId,
      kind: 'auto',
      failedInARowMax,
      since,
      total,
      createdAt: now,
    } as const;
    await insertRecovery(store, newRecovery({ ...wish, id: recoveryId(randomUUID()) }), session);
  });
}

function afterDue(
  life: EndpointLife,
  { isRunning, isMissing, now }: { isRunning: boolean; isMissing: boolean; now: Date },
): EndpointLife {
  if (life.recoverAt === null) return life;
  if (isRunning) return { ...life, recoverAt: new Date(now.getTime() + recoveryPauseMs(0)) };
  return isMissing ? { ...life, recoverAt: null } : afterRecovery(life, { isMissing, hasFailed: false, now });
}
