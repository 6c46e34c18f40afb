import type { ExecutionContext } from 'ava';
import type { Dispatcher } from 'undici';
import { defaultApplication } from '../../../simulators/marketplace/default-application.ts';
import {
  startMarketplaceSimulator,
  type MarketplaceSimulatorOptions,
} from '../../../simulators/marketplace/start-marketplace-simulator.ts';
import { call, type Answer } from './call.ts';

/** The beginning of an image: the simulator looks no further. */
export const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46]);

export const aListing = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  title: 'Strålkastare vänster',
  description: '<p>Fint skick</p>',
  categoryId: 520,
  duration: 7,
  restarts: 0,
  startPrice: 400,
  itemType: 1,
  acceptedBidderId: 1,
  shippingOptions: [{ shippingProviderId: 6, cost: 79 }],
  ownReferences: ['A1', 'item-1', 'item-1:1'],
  autoCommit: false,
  ...changes,
});

export interface AdminListing {
  readonly itemId: number;
  readonly requestId: number;
  readonly ownReferences: string[];
  readonly startPrice: number;
  readonly reservePrice: number | null;
  readonly buyItNowPrice: number | null;
  readonly imageCount: number;
  readonly state: string;
  readonly bids: { amount: number }[];
  readonly bidCount: number;
  readonly endsAt: string | null;
  readonly userId: string;
  readonly itemUrl: string;
}

export interface ResultRow {
  readonly requestId: number;
  readonly resultCode: number;
  readonly message: string | null;
}

export interface WireItem {
  readonly id: number;
  readonly openingBid: number;
  readonly maxBid: number;
  readonly nextBid: number;
  readonly totalBids: number;
  readonly endDate: string;
  readonly itemLink: string;
  readonly imageLinks: string[] | null;
  readonly ownReferences: string[] | null;
  readonly status?: { readonly ended?: boolean; readonly gotWinner?: boolean };
}

/**
 * One seller on a marketplace of the test's own; requests are processed when the test calls `settle`, not before. The
 * switches of the marketplace are an option: `aSeller({ switches: { badToken: '403' } })`.
 */
export async function aSeller(options: MarketplaceSimulatorOptions = {}, userId = '77') {
  const simulator = await startMarketplaceSimulator({ processingDelayMs: 600_000, ...options });
  const admin = (method: Dispatcher.HttpMethod, path: string, body?: unknown): Promise<Answer> =>
    call(method, `${simulator.adminUrl}${path}`, body === undefined ? {} : { body });
  const tokenOf = async (name: string): Promise<string> =>
    (await admin('POST', '/users', { userId: name })).json<{ token: string }>().token;
  const application = { 'x-app-id': defaultApplication.appId, 'x-app-key': defaultApplication.appKey };
  let headers: Record<string, string> = { ...application, 'x-user-id': userId, 'x-user-token': await tokenOf(userId) };

  const wire = (method: Dispatcher.HttpMethod, path: string, body?: unknown): Promise<Answer> =>
    call(method, `${simulator.url}${path}`, { headers, ...(body !== undefined && { body }) });
  const read = async <Body>(path: string): Promise<Body> => (await wire('GET', path)).json<Body>();
  const draft = async (changes: Record<string, unknown> = {}) =>
    (await wire('POST', '/v4/listings/items', aListing(changes))).json<{ requestId: number; itemId: number }>();
  const advance = (seconds: number) => admin('POST', '/clock', { advanceSeconds: seconds });
  const settle = () => advance(600);
  const live = async (changes: Record<string, unknown> = {}) => {
    const receipt = await draft(changes);
    await wire('POST', `/v4/listings/items/${receipt.requestId}/commit`);
    await settle();
    return receipt;
  };
  const bid = (itemId: number, amount: number, bidder?: string) =>
    admin('POST', `/listings/${itemId}/bids`, { amount, ...(bidder !== undefined && { bidder }) });
  const end = (itemId: number) => admin('POST', `/listings/${itemId}/end`);

  return {
    simulator,
    application,
    admin,
    wire,
    read,
    draft,
    advance,
    settle,
    live,
    bid,
    end,
    commit: (requestId: number) => wire('POST', `/v4/listings/items/${requestId}/commit`),
    addImage: (requestId: number, bytes = jpeg, imageFormat = 0) =>
      wire('POST', `/v4/listings/items/${requestId}/images`, {
        imageData: bytes.toString('base64'),
        imageFormat,
        hasMega: true,
      }),
    results: (...requestIds: number[]) =>
      read<ResultRow[]>(`/v4/listings/request-results?${requestIds.map((id) => `requestIds=${id}`).join('&')}`),
    item: (itemId: number) => read<WireItem>(`/v4/listings/items/${itemId}`),
    /** An item that was sold for this amount. */
    sold: async (amount = 500, changes: Record<string, unknown> = {}) => {
      const receipt = await live(changes);
      await bid(receipt.itemId, amount, 'kim');
      await end(receipt.itemId);
      return receipt;
    },
    listings: async (query = '') =>
      (await admin('GET', `/listings${query}`)).json<{ listings: AdminListing[] }>().listings,
    useHeaders: (changes: Record<string, string>) => {
      headers = { ...headers, ...changes };
    },
  };
}

export type TestSeller = Awaited<ReturnType<typeof aSeller>>;

/** The same, ended with the test. */
export async function sellerOf(t: ExecutionContext, options: MarketplaceSimulatorOptions = {}): Promise<TestSeller> {
  const seller = await aSeller(options);
  t.teardown(() => seller.simulator.close());
  return seller;
}
