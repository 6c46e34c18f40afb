import { endpointId, type EndpointId } from '../../../features/rules/ids.ts';
import type { ItemContent } from '../../../features/items/rules/item-content.ts';
import type { Scope } from '../../../features/rules/scope.ts';
import { aReseller, type TestReseller } from '../../support/a-reseller.ts';
import { anItemRequest } from '../../support/an-item-request.ts';
import { requireSoundWebhooks } from '../../support/sound-webhooks.ts';
import { until } from '../../support/until.ts';
import { callAdmin, type ReceivedWebhook, type TestAccount, type World } from '../../support/world.ts';
import { listWebhooks } from '../../../features/webhooks/manage-webhooks.ts';
import { createWebhookOnce } from '../../../features/webhooks/register-webhook.ts';
import { listMembers } from '../../../features/resellers/members.ts';
import { renameMember } from '../../../features/resellers/rename-member.ts';
import { upsertItem } from '../../../features/items/upsert-item.ts';

/** A reseller with two endpoints, and two members that each have their own. */
export interface Pair {
  readonly reseller: TestReseller;
  /** The reseller's endpoint for what happens to its members' items. */
  readonly membersEndpoint: EndpointId;
  readonly first: TestAccount;
  readonly second: TestAccount;
  /** What the members endpoint got, each event once, oldest first; throws unless it is signed with that endpoint's secret. */
  readonly told: () => Promise<ReceivedWebhook[]>;
  /** The same of the reseller's endpoint for its own items. */
  readonly toldOfItself: () => Promise<ReceivedWebhook[]>;
  /** As the reseller's system pushes for a member, or for the reseller itself. */
  pushFor(member: TestAccount | null, externalId: string, wish?: Push): Promise<unknown>;
  scopeFor(member: TestAccount): Scope;
  /** Each member gets the reference that the other one had. */
  swapReferences(): Promise<void>;
}

export interface Push {
  readonly content?: Partial<ItemContent>;
  readonly autoPublish?: boolean;
}

export const firstReferences = { first: 'butik-1', second: 'butik-2' } as const;

export async function aPair(world: World): Promise<Pair> {
  const [reseller, first, second] = await Promise.all([aReseller(world), world.account(), world.account()]);
  const { context, receiver } = world;
  await reseller.takeIn(first, firstReferences.first);
  await reseller.takeIn(second, firstReferences.second);
  const [members] = await listWebhooks(context, reseller.scope);
  const ownPath = `/own/${reseller.scope.accountId}`;
  const wish = { url: `${receiver.url}${ownPath}`, scope: 'self', description: '' } as const;
  const own = await createWebhookOnce(context, reseller.scope, wish);
  const scopeFor = (member: TestAccount): Scope => ({ ...reseller.scope, accountId: member.id });
  const rename = (member: TestAccount, externalId: string): Promise<unknown> =>
    renameMember(context, reseller.scope, { memberAccountId: member.id, externalId });
  return {
    reseller,
    membersEndpoint: endpointId(members?.id ?? ''),
    first,
    second,
    told: () => receivedAt(world, `/hooks/${reseller.scope.accountId}`, reseller.secret),
    toldOfItself: () => receivedAt(world, ownPath, own.secret),
    pushFor: (member, externalId, { content, autoPublish = false } = {}) =>
      upsertItem(context, member === null ? reseller.scope : scopeFor(member), {
        externalId,
        request: anItemRequest(content, { autoPublish }),
      }),
    scopeFor,
    swapReferences: async () => {
      const known = await listMembers(context, reseller.scope);
      const referenceOf = ({ id }: TestAccount): string =>
        known.find(({ memberUserId }) => memberUserId === id)?.externalId ?? '';
      const [one, other] = [referenceOf(first), referenceOf(second)];
      await rename(first, 'in-between');
      await rename(second, one);
      await rename(first, other);
    },
  };
}

/** An event may come twice when an attempt was interrupted; what is asked here is who was told of what. */
async function receivedAt({ receiver }: World, path: string, secret: string): Promise<ReceivedWebhook[]> {
  const url = `${receiver.adminUrl}/received?path=${encodeURIComponent(`^${path}$`)}`;
  const { received } = await callAdmin<{ received: ReceivedWebhook[] }>(url);
  requireSoundWebhooks(received, () => [secret]);
  return [...new Map(received.map((webhook) => [webhook.body.eventId, webhook])).values()];
}

/** `eventType externalId account reference` of each, in a fixed order. */
export const whatWasTold = (received: readonly ReceivedWebhook[]): string[] =>
  received
    .map(({ body: { eventType, data } }) => {
      const { serviceUserId, memberExternalId } = data['account'] as Record<string, string | undefined>;
      return `${eventType} ${data.externalId} ${serviceUserId ?? '?'} ${memberExternalId ?? 'none'}`;
    })
    .toSorted();

/** Waits until so many were received, and gives them. */
export const untilTold = (read: () => Promise<ReceivedWebhook[]>, count: number): Promise<ReceivedWebhook[]> =>
  until(`${count} webhooks`, async () => {
    const received = await read();
    return received.length >= count && received;
  });
