import { auditBy } from '../accounts/rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import { recoveryId, type EndpointId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import { afterRecovery } from './rules/disable-after-failures.ts';
import { autoRecoverWindowMs, failedInARowMaxOf, newRecovery, type Recovery } from './rules/recovery.ts';
import { recordAudit } from '../accounts/store/audit.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { countMissed, isAnyMissed } from './store/missed-deliveries.ts';
import { findRecovery, findRunning, insertRecovery, listRecoveries, replaceRecovery } from './store/recoveries.ts';
import { oweLook } from './store/receiver-state.ts';
import { changeEndpointLife } from './store/webhook-endpoints.ts';
import type { Context } from '../context.ts';
import { findTarget } from './webhook-target.ts';

type Needs = Pick<Context, 'store' | 'hints' | 'confirmCredential' | 'now' | 'newId'>;

export interface RecoveryWish {
  /** null: the account-level URL. */
  readonly endpointId: EndpointId | null;
  readonly since: Date;
}

/**
 * Starts a run that sends the missed events since then again, oldest first, as new deliveries of the same events. It never
 * changes `failCount`. Throws {@link Refusal} NOT_FOUND, or CONFLICT while the endpoint is disabled or another run is active.
 */
export async function recoverTarget(
  { store, hints, confirmCredential, now, newId }: Needs,
  scope: Scope,
  { endpointId, since }: RecoveryWish,
): Promise<RecoveryView> {
  const id = recoveryId(newId());
  const known = await findRecovery(store, id);
  if (known !== null) return describeRecovery(known);
  const { accountId, target, active } = await findTarget(store, scope.actingAccountId, endpointId);
  if (!active) throw new Refusal('CONFLICT', 'The endpoint is disabled; enable it first');
  const createdAt = now();
  const recovery = await inTransaction(store, async (session) => {
    // Another attempt at the same call started it meanwhile; it may even have ended.
    const own = await findRecovery(store, id, session);
    if (own !== null) return own;
    if ((await findRunning(store, { target, accountId }, session)) !== null)
      throw new Refusal('CONFLICT', 'A recovery of this endpoint is running; wait until it has ended');
    const total = await countMissed(store, { target, accountId, since, until: createdAt }, session);
    const begun = newRecovery({
      id,
      accountId,
      target,
      endpointId,
      since,
      total,
      createdAt,
      kind: 'manual',
      failedInARowMax: failedInARowMaxOf('manual', 0),
    });
    await confirmCredential(scope);
    await insertRecovery(store, begun, session);
    await oweLook(store, { target, accountId, endpointId }, { now: createdAt, session });
    const audit = auditBy(scope, {
      kind: 'recovery_requested',
      at: createdAt,
      details: { recoveryId: id, webhookId: endpointId, since: since.toISOString(), total },
    });
    await recordAudit(store, audit, session);
    return begun;
  });
  hints.signalReceiver({ target, accountId });
  return describeRecovery(recovery);
}

/** The answer to `?dryRun=true`: how many events would be sent again. Throws {@link Refusal} NOT_FOUND. */
export async function previewRecovery(
  { store, now }: Pick<Context, 'store' | 'now'>,
  scope: Scope,
  { endpointId, since }: RecoveryWish,
): Promise<{ count: number }> {
  const { target, accountId } = await findTarget(store, scope.actingAccountId, endpointId);
  return { count: await countMissed(store, { target, accountId, since, until: now() }) };
}

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

export type RecoveryView = ReturnType<typeof describeRecovery>;

const describeRecovery = (recovery: Recovery) => ({
  id: recovery.id,
  ...(recovery.endpointId !== null && { endpointId: recovery.endpointId }),
  kind: recovery.kind,
  state: recovery.state,
  stoppedBecause: recovery.stoppedBecause,
  since: recovery.since.toISOString(),
  until: recovery.until.toISOString(),
  // Deliveries in progress at the start may have been missed a moment later.
  total: Math.max(recovery.total, recovery.sent + recovery.failed),
  sent: recovery.sent,
  failed: recovery.failed,
  createdAt: recovery.createdAt.toISOString(),
  updatedAt: recovery.updatedAt.toISOString(),
});

/** Ends a run. The same transaction sets whether and when its endpoint needs another run. */
export async function endRecovery(
  store: StoreConnection,
  { previous, next }: { previous: Recovery; next: Recovery },
): Promise<void> {
  const { target, accountId, endpointId, updatedAt: now } = next;
  await inTransaction(store, async (session) => {
    const isOurs = await replaceRecovery(store, { previous, next, session });
    if (!isOurs || endpointId === null) return;
    const since = new Date(now.getTime() - autoRecoverWindowMs);
    const isMissing = await isAnyMissed(store, { target, accountId, since, until: now }, session);
    const hasFailed = next.failed > 0 || next.state === 'stopped';
    await changeEndpointLife(store, endpointId, {
      next: (life) => afterRecovery(life, { isMissing, hasFailed, now }),
      session,
    });
  });
}
