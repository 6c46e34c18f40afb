import type { ClientSession } from 'mongoose';
import type { AccountId, EndpointId } from '../core/ids.ts';
import type { WebhookTarget } from '../core/webhooks/select-targets.ts';
import type { StoreConnection } from './connection.ts';
import { findConnectionOfMember } from './member-connections.ts';
import { webhookEndpoints, type WebhookEndpointRow } from './webhook-endpoints.ts';
import { webhookSettings } from './webhook-settings.ts';

/** Every target that exists at this moment for events of an account, in the snapshot of the transaction (protocol 12, 13). */
export async function findTargets(
  store: StoreConnection,
  account: AccountId,
  session: ClientSession,
): Promise<WebhookTarget[]> {
  const link = await findConnectionOfMember(store, account, session);
  const owners = link === null ? [account] : [account, link.resellerAccountId];
  const endpoints = await webhookEndpoints(store)
    .find({ accountId: { $in: owners } }, undefined, { session })
    .lean<WebhookEndpointRow[]>();
  const settings = await webhookSettings(store)
    .findOne({ _id: account, url: { $type: 'string' } }, { _id: 1 }, { session })
    .lean();
  const targets: WebhookTarget[] = endpoints
    .filter((endpoint) => endpoint.scope === (endpoint.accountId === account ? 'self' : 'members'))
    .map((endpoint) => ({
      kind: 'endpoint',
      endpointId: endpoint._id,
      accountId: endpoint.accountId,
      scope: endpoint.scope,
      eventTypes: endpoint.eventTypes,
      active: endpoint.active,
      ...(endpoint.scope === 'members' && link !== null && { memberExternalId: link.externalId }),
    }));
  return settings === null ? targets : [...targets, { kind: 'account', accountId: account }];
}

/** Where a delivery is sent now, and with which secret; null when the target is gone. */
export interface Destination {
  readonly url: string;
  readonly secretEncrypted: string;
  readonly active: boolean;
}

export async function findDestination(
  store: StoreConnection,
  target: { accountId: AccountId; endpointId: EndpointId | null },
): Promise<Destination | null> {
  if (target.endpointId !== null)
    return webhookEndpoints(store).findOne({ _id: target.endpointId }).lean<WebhookEndpointRow>();
  const settings = await webhookSettings(store).findOne({ _id: target.accountId }).lean();
  return settings?.url == null ? null : { url: settings.url, secretEncrypted: settings.secretEncrypted, active: true };
}

/** A delivery got through: the count of deliveries given up in a row starts again. */
export async function resetFailCount(
  store: StoreConnection,
  endpointId: EndpointId,
  session: ClientSession,
): Promise<void> {
  await webhookEndpoints(store).updateOne(
    { _id: endpointId, failCount: { $gt: 0 } },
    { $set: { failCount: 0 } },
    { session },
  );
}

/** A delivery was given up: one more in a row, and at `disableAfter` the endpoint is switched off. */
export async function countFailure(
  store: StoreConnection,
  endpointId: EndpointId,
  options: { disableAfter: number; reason: string; now: Date; session: ClientSession },
): Promise<void> {
  const { disableAfter, reason, now, session } = options;
  const endpoint = await webhookEndpoints(store)
    .findOneAndUpdate(
      { _id: endpointId },
      { $inc: { failCount: 1 }, $set: { updatedAt: now } },
      { session, returnDocument: 'after' },
    )
    .lean<WebhookEndpointRow>();
  if (endpoint === null || !endpoint.active || endpoint.failCount < disableAfter) return;
  await webhookEndpoints(store).updateOne(
    { _id: endpointId },
    { $set: { active: false, disabledReason: reason, updatedAt: now } },
    { session },
  );
}
