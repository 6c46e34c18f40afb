import type { EndpointId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { listRecoveries } from '../../store/deliveries/recoveries.ts';
import type { Context } from '../context.ts';
import { findTarget } from '../webhooks/find-target.ts';
import { describeRecovery, type RecoveryView } from './describe-recovery.ts';

const rowsMax = 20;

/** The 20 newest, newest first: how far they came, and why they stopped. Throws {@link Refusal} NOT_FOUND. */
export async function listTargetRecoveries(
  { store }: Pick<Context, 'store'>,
  scope: Scope,
  endpointId: EndpointId | null,
): Promise<readonly RecoveryView[]> {
  const { accountId, target } = await findTarget(store, scope.actingAccountId, endpointId);
  return (await listRecoveries(store, { accountId, target, rowsMax })).map(describeRecovery);
}
