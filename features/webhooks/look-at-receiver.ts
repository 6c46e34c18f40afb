import type { ExplainedReceiver } from '../operations/rules/explain-wait.ts';
import { keptMs } from './rules/recovery.ts';
import { disableAfterFailures } from './rules/disable-after-failures.ts';
import { listRecentAttempts } from './store/delivery-attempts.ts';
import { countMissed } from './store/missed-deliveries.ts';
import { readOpenDeliveries, type OpenDeliveries } from './store/waiting-deliveries.ts';
import type { TargetInTrouble, TargetName } from './store/receiver-state.ts';
import { findDestination, type Destination } from './store/webhook-targets.ts';
import type { DeliveryContext } from './prepare-attempt.ts';
import { originOf } from './webhook-target.ts';

/** Shorter waits of the oldest delivery are no trouble. */
const lateMs = 10_000;

/** The trouble of a webhook target, for operators; null when it is enabled and has received all it missed, or is deleted. */
export async function describeTrouble(
  { store, now }: Pick<DeliveryContext, 'store' | 'now'>,
  target: TargetInTrouble,
): Promise<ExplainedReceiver | null> {
  const at = now();
  const { accountId, endpointId } = target;
  const [destination, queue, missed, [failed]] = await Promise.all([
    findDestination(store, target),
    readOpenDeliveries(store, target),
    countMissed(store, { ...target, since: new Date(at.getTime() - keptMs), until: at }),
    listRecentAttempts(store, accountId, { filter: { endpointId, status: 'failed' }, rowsMax: 1 }),
  ]);
  const reason = reasonOf(destination, { queue, missed, at });
  if (destination === null || reason === null) return null;
  return {
    reason,
    target: target.target,
    origin: originOf(destination.url),
    missed,
    waiting: queue.waiting,
    retrying: queue.retrying,
    lastError: failed?.errorMessage ?? null,
    since: target.troubleSince.toISOString(),
    oldestAt: queue.oldestAt?.toISOString() ?? null,
    nextAttemptAt: queue.nextAttemptAt?.toISOString() ?? null,
    failCount: destination.failCount,
    disabledAt: disableAfterFailures,
  };
}

/** Since when the oldest delivery waits, if that is too long; else null. */
export const lateSince = async (
  { store, now }: Pick<DeliveryContext, 'store' | 'now'>,
  target: TargetName,
): Promise<Date | null> => lateSinceOf(await readOpenDeliveries(store, target), now());

const lateSinceOf = ({ oldestAt }: OpenDeliveries, at: Date): Date | null =>
  oldestAt !== null && at.getTime() - oldestAt.getTime() > lateMs ? oldestAt : null;

function reasonOf(
  destination: Destination | null,
  { queue, missed, at }: { queue: OpenDeliveries; missed: number; at: Date },
): ExplainedReceiver['reason'] | null {
  if (destination === null) return null;
  if (!destination.active) return 'endpoint_disabled';
  const hasFailed = destination.failCount > 0 && (queue.waiting > 0 || missed > 0);
  if (hasFailed || queue.retrying > 0) return 'receiver';
  if (lateSinceOf(queue, at) !== null) return 'receiver_slow';
  return missed > 0 ? 'events_missed' : null;
}
