import type { ClientSession } from 'mongoose';
import type { AccountId, EndpointId } from '../../core/ids.ts';
import type { WebhookTarget } from '../../core/webhooks/wants-event.ts';
import type { StoreConnection } from '../database/connection.ts';
import { findConnectionOfMember } from '../resellers/member-connections.ts';
import { webhookEndpoints, type WebhookEndpointRow } from './webhook-endpoints.ts';
import { webhookSettings } from './webhook-settings.ts';

/** All present targets for events of an account, in the snapshot of the transaction (protocol 12, 13). */
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
    .findOne({ _id: account, url: { $type: 'string' } }, { urlSince: 1 }, { session })
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
      since: endpoint.accountId === account ? endpoint.createdAt : later(endpoint.createdAt, link?.createdAt),
      ...(endpoint.scope === 'members' && link !== null && { memberExternalId: link.externalId }),
    }));
  return settings === null
    ? targets
    : [...targets, { kind: 'account', accountId: account, since: settings.urlSince ?? null }];
}

const later = (one: Date, other: Date = one): Date => (other > one ? other : one);

/** Address and secret for sending a delivery now; null when the target is gone. */
export interface Destination {
  readonly url: string;
  readonly secretEncrypted: string;
  readonly active: boolean;
  /** An endpoint with a changed scope counts as another target. */
  readonly scope: 'self' | 'members';
  readonly autoRecover: boolean;
}

export async function findDestination(
  store: StoreConnection,
  target: { accountId: AccountId; endpointId: EndpointId | null },
): Promise<Destination | null> {
  if (target.endpointId !== null)
    return webhookEndpoints(store).findOne({ _id: target.endpointId }).lean<WebhookEndpointRow>();
  const settings = await webhookSettings(store).findOne({ _id: target.accountId }).lean();
  if (settings?.url == null) return null;
  return {
    url: settings.url,
    secretEncrypted: settings.secretEncrypted,
    active: true,
    scope: 'self',
    autoRecover: false,
  };
}
