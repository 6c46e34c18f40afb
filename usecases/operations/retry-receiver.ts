import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { keptMs } from '../../core/webhooks/recovery.ts';
import { findTrouble, type TroubleRow } from '../../store/webhooks/receivers-in-trouble.ts';
import { findEndpoint } from '../../store/webhooks/webhook-endpoints.ts';
import type { Context } from '../context.ts';
import type { RetryOutcome } from '../items/retry-item.ts';
import { recoverTarget } from '../recoveries/recover-target.ts';
import { explainTrouble } from '../webhooks/look-at-receiver.ts';
import { changeWebhook } from '../webhooks/manage-webhooks.ts';

export type ReceiverRetryContext = Pick<
  Context,
  'store' | 'ring' | 'addressPolicy' | 'confirmCredential' | 'now' | 'newId'
>;

/**
 * For the operator: has a webhook target in trouble tried again. An endpoint that the service disabled is enabled, and a recovery
 * sends what it missed; both are in the owner's log with `operator` as the actor. `nothing_to_retry`: its owner disabled it, a
 * recovery runs already, or nothing was missed. `gone`: it is in trouble no longer.
 */
export async function retryReceiver(context: ReceiverRetryContext, target: string): Promise<RetryOutcome> {
  const row = await findTrouble(context.store, target);
  const trouble = row === null ? null : await explainTrouble(context, row);
  if (row === null || trouble === null) return 'gone';
  const isEnabled = trouble.reason === 'endpoint_disabled' && (await enable(context, row));
  if (trouble.reason === 'endpoint_disabled' && !isEnabled) return 'nothing_to_retry';
  const isRecovered = trouble.missed > 0 && (await recover(context, row));
  return isEnabled || isRecovered ? 'retried' : 'nothing_to_retry';
}

const scopeOf = ({ accountId }: TroubleRow): Scope => ({
  ...{ accountId, actingAccountId: accountId, credential: { kind: 'operator' } },
});

/** An endpoint that its owner disabled stays as it is. */
async function enable(context: ReceiverRetryContext, row: TroubleRow): Promise<boolean> {
  const { accountId, endpointId } = row;
  if (endpointId === null) return false;
  const endpoint = await findEndpoint(context.store, accountId, endpointId);
  if (endpoint === null || endpoint.disabledReason === null) return false;
  await changeWebhook(context, scopeOf(row), { endpointId, change: { active: true } });
  return true;
}

/** False while a recovery runs. */
async function recover(context: ReceiverRetryContext, row: TroubleRow): Promise<boolean> {
  const since = new Date(context.now().getTime() - keptMs);
  try {
    await recoverTarget(context, scopeOf(row), { endpointId: row.endpointId, since });
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
