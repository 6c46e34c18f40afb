import type { AccountId } from '../../core/ids.ts';
import type { ExplainedReceiver } from '../../core/operations/explain-wait.ts';
import { keptMs } from '../../core/webhooks/recovery.ts';
import { disableAfterFailures } from '../../core/webhooks/delivery.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { countMissed } from '../../store/deliveries/missed-deliveries.ts';
import {
  endTrouble,
  findTrouble,
  postponeTrouble,
  readLine,
  type QueueState,
  type TroubleRow,
} from '../../store/webhooks/receivers-in-trouble.ts';
import { findDestination, type Destination } from '../../store/webhooks/webhook-targets.ts';
import { originOf } from './webhook-target.ts';

export interface ReceiverContext {
  readonly store: StoreConnection;
  /** The reseller's reference for the account. */
  readonly memberOf: (account: AccountId) => Promise<string | null>;
  readonly now: () => Date;
}

export interface ReceiverTrouble extends ExplainedReceiver {
  readonly member: string | null;
  /** In ms. */
  readonly lookAgainMs: number;
}

/**
 * While deliveries wait or are in progress, the shown state must be current. Otherwise only the owner can change it.
 */
const lookAgainMs = { soon: 10_000, late: 10 * 60_000 } as const;
/** The workflow's own timer comes first; after this time the dispatcher restarts it, because it was lost. */
const graceMs = 60_000;
/** Shorter waits of the oldest delivery are no trouble. */
const lateMs = 10_000;

/**
 * The trouble of a webhook target. Returns null, and ends the trouble, when the target is enabled and has received all it missed,
 * or is deleted.
 */
export async function lookAtReceiver(context: ReceiverContext, target: string): Promise<ReceiverTrouble | null> {
  const { store, memberOf, now } = context;
  const row = await findTrouble(store, target);
  if (row === null) return null;
  const trouble = await explainTrouble(context, row);
  if (trouble === null) return (await endTrouble(store, row)) ? null : lookAtReceiver(context, target);
  const isMoving = trouble.waiting > 0 || trouble.retrying > 0;
  const againMs = isMoving ? lookAgainMs.soon : lookAgainMs.late;
  await postponeTrouble(store, row, new Date(now().getTime() + againMs + graceMs));
  const member = await memberOf(row.accountId).catch(() => null);
  return { ...trouble, member, lookAgainMs: againMs };
}

/** The trouble of a row's target with its waiting deliveries; null when there is none. */
export async function explainTrouble(
  { store, now }: Pick<ReceiverContext, 'store' | 'now'>,
  row: TroubleRow,
): Promise<ExplainedReceiver | null> {
  const at = now();
  const [destination, queue, missed] = await Promise.all([
    findDestination(store, row),
    readLine(store, row),
    countMissed(store, { target: row._id, since: new Date(at.getTime() - keptMs), until: at }),
  ]);
  const reason = reasonOf(destination, { queue, missed, at });
  return destination === null || reason === null ? null : describe(row, { reason, destination, queue, missed });
}

function reasonOf(
  destination: Destination | null,
  { queue, missed, at }: { queue: QueueState; missed: number; at: Date },
): ReceiverTrouble['reason'] | null {
  if (destination === null) return null;
  if (!destination.active) return 'endpoint_disabled';
  const hasFailed = destination.failCount > 0 && (queue.waiting > 0 || missed > 0);
  if (hasFailed || queue.retrying > 0) return 'receiver';
  if (queue.oldestAt !== null && at.getTime() - queue.oldestAt.getTime() > lateMs) return 'receiver_slow';
  return missed > 0 ? 'events_missed' : null;
}

const describe = (
  { _id: target, since }: TroubleRow,
  {
    reason,
    destination,
    queue,
    missed,
  }: {
    reason: ReceiverTrouble['reason'];
    destination: Destination;
    queue: QueueState;
    missed: number;
  },
): ExplainedReceiver => ({
  ...{
    reason,
    target,
    origin: originOf(destination.url),
    missed,
    waiting: queue.waiting,
    retrying: queue.retrying,
    lastError: queue.lastError,
  },
  since: since.toISOString(),
  oldestAt: queue.oldestAt?.toISOString() ?? null,
  nextAttemptAt: queue.nextAttemptAt?.toISOString() ?? null,
  failCount: destination.failCount,
  disabledAt: disableAfterFailures,
});
