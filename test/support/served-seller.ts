import { defaultApplication } from '../../simulators/marketplace/default-application.ts';
import { createPeople, callApi, type ApiWorld, type TestAccount } from './api-world.ts';
import type { ServedWorld } from './served-world.ts';
import { requireSoundWebhooks } from './sound-webhooks.ts';
import { until } from './until.ts';
import { callAdmin, type MarketplaceListing, type ReceivedWebhook } from './world.ts';

export interface ServedSeller extends TestAccount {
  readonly receiverPath: string;
  readonly marketplaceToken: string;
}

export type SellerListing = MarketplaceListing & { readonly userId: string };

export const itemPath = (externalId: string): string => `/integration/v1/items/${externalId}`;

/** Sellers of a world whose API listens: what they do over HTTP, and what the outside has of them. */
export function sellersOf(world: ServedWorld) {
  const call: ApiWorld['call'] = (method, path, options = {}) => callApi(world.api.url, { method, path, ...options });
  const { adminUrl } = world.marketplace;
  const statusOf = async ({ apiKey }: ServedSeller, externalId: string): Promise<Record<string, unknown>> =>
    (await call('GET', itemPath(externalId), { apiKey })).body as Record<string, unknown>;
  const receivedBy = async ({ receiverPath }: ServedSeller): Promise<ReceivedWebhook[]> => {
    const url = `${world.receiver.adminUrl}/received?path=${receiverPath}`;
    const { received } = await callAdmin<{ received: ReceivedWebhook[] }>(url);
    requireSoundWebhooks(received);
    return received;
  };
  return {
    call,
    statusOf,
    receivedBy,
    aSeller: () => aSeller(world, call),
    atMarketplace: (path: string, body?: object): Promise<unknown> => callAdmin(`${adminUrl}${path}`, 'POST', body),
    /** As the seller itself, at the marketplace. */
    atSellersOwn: async <Answer>(
      { id, marketplaceToken }: ServedSeller,
      method: 'GET' | 'PUT',
      sent: { path: string; body?: object },
    ): Promise<Answer> => {
      const { appId, appKey } = defaultApplication;
      const headers = { 'x-app-id': appId, 'x-app-key': appKey, 'x-user-id': id, 'x-user-token': marketplaceToken };
      const answer = await fetch(world.marketplace.url + sent.path, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        ...(sent.body && { body: JSON.stringify(sent.body) }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()) as Answer;
    },
    untilStatus: (seller: ServedSeller, externalId: string, wanted: string): Promise<unknown> =>
      until(
        `${externalId} is ${wanted}`,
        async () => (await statusOf(seller, externalId))['marketplaceStatus'] === wanted,
      ),
    /** Every ad with this external id that the marketplace shows or has shown for the seller. */
    adsOf: async (seller: ServedSeller, externalId: string): Promise<SellerListing[]> => {
      const { listings } = await callAdmin<{ listings: SellerListing[] }>(
        `${adminUrl}/listings?ownReference=${externalId}`,
      );
      return listings.filter(({ userId, state }) => userId === seller.id && state !== 'uncommitted');
    },
    untilTold: (seller: ServedSeller, eventType: string): Promise<ReceivedWebhook> =>
      until(eventType, async () => (await receivedBy(seller)).find(({ body }) => body.eventType === eventType)),
  };
}

/** Registered over HTTP, connected to the marketplace, with an endpoint for everything. */
async function aSeller(world: ServedWorld, call: ApiWorld['call']): Promise<ServedSeller> {
  const { account } = createPeople({
    call,
    grant: () => Promise.reject(new Error('there are no resellers here')),
  });
  const seller = await account();
  const { token } = seller;
  const user = await callAdmin<{ userId: string; token: string }>(`${world.marketplace.adminUrl}/users`, 'POST', {
    userId: seller.id,
  });
  const credentials = { marketplaceUserId: user.userId, token: user.token };
  const connected = await call('PUT', '/partner/marketplace-connection', { token, body: credentials });
  if (connected.status !== 200) throw new Error(connected.text);
  const receiverPath = `/hooks/${seller.id}`;
  const body = { url: `${world.receiver.url}${receiverPath}`, eventTypes: [] };
  const hooked = await call('POST', '/integration/webhooks', { token, body });
  if (hooked.status !== 201) throw new Error(hooked.text);
  return { ...seller, receiverPath, marketplaceToken: user.token };
}
