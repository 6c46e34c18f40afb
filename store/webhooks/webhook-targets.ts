import type { AccountId, EndpointId } from '../../core/ids.ts';
import { targetKeyOf, type WebhookTarget } from '../../core/webhooks/delivery.ts';
import { rowsOf, type StoreConnection } from '../database/connection.ts';
import type { MemberConnectionRow } from '../resellers/member-connections.ts';
import { webhookEndpoints, type WebhookEndpointRow } from './webhook-endpoints.ts';
import { webhookSettings, type WebhookSettingsRow } from './webhook-settings.ts';

/** Where a delivery is sent, and how. */
export interface Destination {
  readonly url: string;
  readonly secretEncrypted: string;
  readonly active: boolean;
  /** An endpoint whose scope has changed counts as another target. */
  readonly scope: 'self' | 'members';
  readonly autoRecover: boolean;
  /** Deliveries given up in a row: a success has to reset it. */
  readonly failCount: number;
}

/** A target of an account's events, as it was at one moment. */
export type Target = WebhookTarget & { readonly destination: Destination };
export type TargetsOf = (account: AccountId) => readonly Target[];

type FoundRow =
  | (WebhookEndpointRow & { readonly kind: 'endpoint' })
  | (WebhookSettingsRow & { readonly kind: 'account' })
  | (MemberConnectionRow & { readonly kind: 'link'; readonly endpoints: readonly WebhookEndpointRow[] });

/** The present targets of several accounts: their own endpoints and URLs, and their resellers' endpoints. One query. */
export async function findTargets(store: StoreConnection, accounts: readonly AccountId[]): Promise<TargetsOf> {
  if (accounts.length === 0) return () => [];
  const among = { $in: [...accounts] };
  const ofResellers = {
    from: 'webhook_endpoints',
    localField: 'resellerAccountId',
    foreignField: 'accountId',
    pipeline: [{ $match: { scope: 'members' } }],
    as: 'endpoints',
  };
  const rows = await rowsOf(webhookEndpoints(store))
    .aggregate<FoundRow>([
      { $match: { accountId: among, scope: 'self' } },
      { $set: { kind: 'endpoint' } },
      union('webhook_settings', [{ $match: { _id: among, url: { $type: 'string' } } }, { $set: { kind: 'account' } }]),
      union('member_connections', [
        { $match: { memberAccountId: among } },
        { $lookup: ofResellers },
        { $set: { kind: 'link' } },
      ]),
    ])
    .toArray();
  const found = new Map<AccountId, Target[]>();
  for (const row of rows) {
    const account = accountOf(row);
    found.set(account, [...(found.get(account) ?? []), ...targetsIn(row)]);
  }
  return (account) => found.get(account) ?? [];
}

const union = (coll: string, pipeline: object[]) => ({ $unionWith: { coll, pipeline } });

function accountOf(row: FoundRow): AccountId {
  switch (row.kind) {
    case 'endpoint':
      return row.accountId;
    case 'account':
      return row._id;
    case 'link':
      return row.memberAccountId;
  }
}

function targetsIn(row: FoundRow): Target[] {
  switch (row.kind) {
    case 'endpoint':
      return [endpointTarget(row)];
    case 'account': {
      const since = row.urlSince ?? null;
      const destination = destinationOfAccount(row);
      return destination === null ? [] : [{ kind: 'account', accountId: row._id, since, destination }];
    }
    case 'link':
      return row.endpoints.map((endpoint) => endpointTarget(endpoint, row));
  }
}

const endpointTarget = (endpoint: WebhookEndpointRow, link?: MemberConnectionRow): Target => ({
  kind: 'endpoint',
  endpointId: endpoint._id,
  accountId: endpoint.accountId,
  scope: endpoint.scope,
  eventTypes: endpoint.eventTypes,
  active: endpoint.active,
  since: later(endpoint.createdAt, link?.createdAt),
  ...(link !== undefined && { memberExternalId: link.externalId, sharesOrders: link.sharesOrders === true }),
  destination: endpoint,
});

const later = (one: Date, other: Date = one): Date => (other > one ? other : one);

function destinationOfAccount(settings: WebhookSettingsRow | null): Destination | null {
  if (settings?.url == null) return null;
  const { url, secretEncrypted, failCount = 0 } = settings;
  return { url, secretEncrypted, active: true, scope: 'self', autoRecover: false, failCount };
}

/** Address and secret for sending a delivery now; null when the target is gone. */
export async function findDestination(
  store: StoreConnection,
  target: { accountId: AccountId; endpointId: EndpointId | null },
): Promise<Destination | null> {
  if (target.endpointId !== null) return rowsOf(webhookEndpoints(store)).findOne({ _id: target.endpointId });
  return destinationOfAccount(await rowsOf(webhookSettings(store)).findOne({ _id: target.accountId }));
}

/** Key of the target in deliveries and recoveries. */
export const keyOfTarget = (target: WebhookTarget): string =>
  targetKeyOf({ accountId: target.accountId, endpointId: target.kind === 'account' ? null : target.endpointId });
