import { auditBy } from '../../core/audit/audit-entry.ts';
import { Refusal } from '../../core/errors.ts';
import { recoveryId, type EndpointId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { failedInARowMaxOf, newRecovery } from '../../core/webhooks/recovery.ts';
import { recordAudit } from '../../store/accounts/audit.ts';
import { countMissed } from '../../store/deliveries/missed-deliveries.ts';
import { findRecovery, findRunning, insertRecovery } from '../../store/deliveries/recoveries.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import { dueLine } from '../../store/dispatch/due-rows.ts';
import type { Context } from '../context.ts';
import { findTarget } from '../webhooks/webhook-target.ts';
import { describeRecovery, type RecoveryView } from './own-recoveries.ts';

type Needs = Pick<Context, 'store' | 'ring' | 'confirmCredential' | 'now' | 'newId'>;

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
  { store, ring, confirmCredential, now, newId }: Needs,
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
    if ((await findRunning(store, target, session)) !== null)
      throw new Refusal('CONFLICT', 'A recovery of this endpoint is running; wait until it has ended');
    const total = await countMissed(store, { target, since, until: createdAt }, session);
    const begun = newRecovery({
      ...{ id, accountId, target, endpointId, since, total, createdAt },
      ...{ kind: 'manual', failedInARowMax: failedInARowMaxOf('manual', 0) },
    });
    await confirmCredential(scope);
    await insertRecovery(store, begun, session);
    const audit = auditBy(scope, {
      ...{ kind: 'recovery_requested', at: createdAt },
      details: { recoveryId: id, webhookId: endpointId, since: since.toISOString(), total },
    });
    await recordAudit(store, audit, session);
    return begun;
  });
  ring(dueLine('recoveries', 'workflow', accountId));
  return describeRecovery(recovery);
}

/** The answer to `?dryRun=true`: how many events would be sent again. Throws {@link Refusal} NOT_FOUND. */
export async function previewRecovery(
  { store, now }: Pick<Context, 'store' | 'now'>,
  scope: Scope,
  { endpointId, since }: RecoveryWish,
): Promise<{ count: number }> {
  const { target } = await findTarget(store, scope.actingAccountId, endpointId);
  return { count: await countMissed(store, { target, since, until: now() }) };
}
