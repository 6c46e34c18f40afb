import { Refusal } from '../../core/errors.ts';
import type { AccountId, EndpointId } from '../../core/ids.ts';
import { targetKeyOf } from '../../core/webhooks/delivery-id.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { findEndpoint } from '../../store/webhooks/webhook-endpoints.ts';
import { findSettings } from '../../store/webhooks/webhook-settings.ts';

/** One of an account's targets as people address it. */
export interface FoundTarget {
  readonly accountId: AccountId;
  readonly endpointId: EndpointId | null;
  /** Key in deliveries and recoveries. */
  readonly target: string;
  readonly scope: 'self' | 'members';
  readonly active: boolean;
}

/** `endpointId` null: the account-level URL. Throws {@link Refusal} NOT_FOUND for an endpoint the account does not have, CONFLICT without a URL. */
export async function findTarget(
  store: StoreConnection,
  accountId: AccountId,
  endpointId: EndpointId | null,
): Promise<FoundTarget> {
  const target = targetKeyOf({ accountId, endpointId });
  if (endpointId === null) {
    const settings = await findSettings(store, accountId);
    if (settings?.url == null) throw new Refusal('CONFLICT', 'The account has no webhook URL; set one first');
    return { accountId, endpointId, target, scope: 'self', active: true };
  }
  const endpoint = await findEndpoint(store, accountId, endpointId);
  if (endpoint === null) throw new Refusal('NOT_FOUND', 'No webhook endpoint with this id');
  return { accountId, endpointId, target, scope: endpoint.scope, active: endpoint.active };
}
