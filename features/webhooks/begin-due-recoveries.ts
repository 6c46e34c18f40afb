import { randomUUID } from 'node:crypto';
import { recoveryId } from '../rules/ids.ts';
import { afterRecovery, recoveryPauseMs, type EndpointLife } from './rules/disable-after-failures.ts';
import { targetKeyOf } from './rules/delivery.ts';
import { autoRecoverWindowMs, failedInARowMaxOf, newRecovery } from './rules/recovery.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { countMissed } from './store/missed-deliveries.ts';
import { findRunning, insertRecovery } from './store/recoveries.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { changeEndpointLife, findDueForRecovery, type WebhookEndpointRow } from './store/webhook-endpoints.ts';
import { oweLook } from './store/receiver-state.ts';

const rowsMax = 100;

/**
 * Begins the automatic recoveries that are due: the workflow of the receiver sends them. One that can't be begun does not stop the
 * others. Returns their number.
 */
export async function beginDueRecoveries(store: StoreConnection, now: () => Date): Promise<number> {
  const due = await findDueForRecovery(store, now(), rowsMax);
  const begun = await Promise.allSettled(due.map((endpoint) => beginDue(store, endpoint, now())));
  const failed = begun.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return due.length;
}

/** Clears the due time and inserts the run in one transaction. The missed events are found through the deliveries. */
async function beginDue(store: StoreConnection, endpoint: WebhookEndpointRow, now: Date): Promise<void> {
  const { _id: endpointId, accountId } = endpoint;
  const target = targetKeyOf({ accountId, endpointId });
  const since = new Date(now.getTime() - autoRecoverWindowMs);
  await inTransaction(store, async (session) => {
    const isRunning = (await findRunning(store, { target, accountId }, session)) !== null;
    const total = isRunning ? 0 : await countMissed(store, { target, accountId, since, until: now }, session);
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
    await oweLook(store, { target, accountId, endpointId }, { now, session });
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
