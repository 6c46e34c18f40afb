import { groupBy } from '../../rules/group-by.ts';
import type { AccountId, EndpointId } from '../../rules/ids.ts';
import type { WebhookTarget } from '../rules/delivery.ts';
import { rowsOf, type StoreConnection } from '../../../platform/database/connection.ts';
import type { Session } from '../../../platform/database/transaction.ts';
import type { MemberConnectionRow } from '../../resellers/store/member-connections.ts';
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
  /** Deliveries wait for its workflow. */
  readonly queue?: boolean;
  /** The address has answered with success. */
  readonly isProven?: boolean;
}

/** A target of an account's events, as it was at one moment. */
export type Target = WebhookTarget & { readonly destination: Destination };
export type TargetsOf = (account: AccountId) => readonly Target[];

type LinkRow = MemberConnectionRow & { readonly endpoints: readonly WebhookEndpointRow[] };

interface Found {
  readonly endpoints: readonly WebhookEndpointRow[];
  readonly settings: readonly WebhookSettingsRow[];
  readonly links: readonly LinkRow[];
}

/**
 * The targets of several accounts in the snapshot of a transaction: their own endpoints and URLs, and their resellers' endpoints. One
 * query.
 */
export async function findTargets(
  store: StoreConnection,
  accounts: readonly AccountId[],
  session: Session,
): Promise<TargetsOf> {
  if (accounts.length === 0) return () => [];
  const among = { $in: [...accounts] };
  const ofResellers = {
    from: 'webhook_endpoints',
    localField: 'resellerAccountId',
    foreignField: 'accountId',
    pipeline: [{ $match: { scope: 'members' } }],
    as: 'endpoints',
  };
  const settings = [{ $match: { _id: among, url: { $type: 'string' } } }];
  const links = [{ $match: { memberAccountId: among } }, { $lookup: ofResellers }];
  const [found] = await rowsOf(webhookEndpoints(store))
    .aggregate<Found>(
      [
        { $match: { accountId: among, scope: 'self' } },
        // One document, also without endpoints: a transaction takes no $unionWith.
        { $facet: { endpoints: [{ $match: {} }] } },
        { $lookup: { from: 'webhook_settings', pipeline: settings, as: 'settings' } },
        { $lookup: { from: 'member_connections', pipeline: links, as: 'links' } },
      ],
      { session },
    )
    .toArray();
  const targets =
    found === undefined ? new Map<AccountId, Named[]>() : groupBy(targetsIn(found), ([account]) => account);
  return (account) => (targets.get(account) ?? []).map(([, target]) => target);
}

type Named = readonly [account: AccountId, target: Target];

const targetsIn = ({ endpoints, settings, links }: Found): Named[] => [
  ...endpoints.map((endpoint): Named => [endpoint.accountId, endpointTarget(endpoint)]),
  ...settings.flatMap((row): Named[] => {
    const destination = destinationOfAccount(row);
    return destination === null ? [] : [[row._id, { kind: 'account', accountId: row._id, destination }]];
  }),
  ...links.flatMap((link) =>
    link.endpoints.map((endpoint): Named => [link.memberAccountId, endpointTarget(endpoint, link)]),
  ),
];

const endpointTarget = (endpoint: WebhookEndpointRow, link?: MemberConnectionRow): Target => ({
  kind: 'endpoint',
  endpointId: endpoint._id,
  accountId: endpoint.accountId,
  scope: endpoint.scope,
  eventTypes: endpoint.eventTypes,
  active: endpoint.active,
  ...(link !== undefined && { memberExternalId: link.externalId, sharesOrders: link.sharesOrders === true }),
  destination: endpoint,
});

function destinationOfAccount(settings: WebhookSettingsRow | null): Destination | null {
  if (settings?.url == null) return null;
  const { url, secretEncrypted, failCount = 0, queue = false, isProven = false } = settings;
  return { url, secretEncrypted, active: true, scope: 'self', autoRecover: false, failCount, queue, isProven };
}

/** Address and secret for sending a delivery now; null when the target is gone. */
export async function findDestination(
  store: StoreConnection,
  target: { accountId: AccountId; endpointId: EndpointId | null },
): Promise<Destination | null> {
  if (target.endpointId !== null)
    return rowsOf(webhookEndpoints(store)).findOne({ _id: target.endpointId, accountId: target.accountId });
  return destinationOfAccount(await rowsOf(webhookSettings(store)).findOne({ _id: target.accountId }));
}
