import type { Dispatcher } from 'undici';
import { defaultApplication } from '../../../simulators/marketplace/default-application.ts';
import {
  startMarketplaceSimulator,
  type MarketplaceSimulatorOptions,
} from '../../../simulators/marketplace/start-marketplace-simulator.ts';
import { call, type Answer } from './call.ts';

/** A one-pixel image of each format; the simulator looks no further than the first bytes. */
export const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46]);
export const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);

export const aListing = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  title: 'Strålkastare vänster',
  description: '<p>Fint skick</p>',
  categoryId: 520,
  duration: 7,
  restarts: 0,
  startPrice: 400,
  reservePrice: null,
  buyItNowPrice: null,
  itemType: 1,
  acceptedBidderId: 1,
  shippingOptions: [{ shippingOptionId: 1, cost: 79 }],
  ownReferences: ['A1', 'item-1', 'item-1:1'],
  autoCommit: false,
  ...changes,
});

export interface AdminListing {
  readonly itemId: number;
  readonly requestId: number;
  readonly ownReferences: string[];
  readonly startPrice: number;
  readonly imageCount: number;
  readonly state: string;
  readonly bids: { amount: number }[];
  readonly bidCount: number;
  readonly endsAt: string | null;
  readonly userId: string;
}

export interface ResultRow {
  readonly requestId: number;
  readonly resultCode: number;
  readonly message: string;
}

/** One seller on a marketplace of the test's own; requests are processed when the test calls `settle`, not before. */
export async function aSeller(options: MarketplaceSimulatorOptions = {}, userId = '77') {
  const simulator = await startMarketplaceSimulator({ processingDelayMs: 600_000, ...options });
  const admin = (method: Dispatcher.HttpMethod, path: string, body?: unknown): Promise<Answer> =>
    call(method, `${simulator.adminUrl}${path}`, body === undefined ? {} : { body });
  const token = async (): Promise<string> =>
    (await admin('POST', '/users', { userId })).json<{ token: string }>().token;
  const application = { 'x-app-id': defaultApplication.appId, 'x-app-key': defaultApplication.appKey };
  let headers: Record<string, string> = { ...application, 'x-user-id': userId, 'x-user-token': await token() };

  const wire = (method: Dispatcher.HttpMethod, path: string, body?: unknown): Promise<Answer> =>
    call(method, `${simulator.url}${path}`, { headers, ...(body !== undefined && { body }) });
  const draft = async (changes: Record<string, unknown> = {}) =>
    (await wire('POST', '/v4/listings/items', aListing(changes))).json<{ requestId: number; itemId: number }>();
  const advance = (seconds: number) => admin('POST', '/clock', { advanceSeconds: seconds });
  const settle = () => advance(600);

  return {
    simulator,
    application,
    admin,
    wire,
    draft,
    advance,
    settle,
    commit: (requestId: number) => wire('POST', `/v4/listings/items/${requestId}/commit`),
    addImage: (requestId: number, bytes = jpeg, imageFormat = 0) =>
      wire('POST', `/v4/listings/items/${requestId}/images`, {
        imageData: bytes.toString('base64'),
        imageFormat,
        hasMega: true,
      }),
    results: async (...requestIds: number[]) =>
      (await wire('GET', `/v4/listings/request-results?requestIds=${requestIds.join(',')}`)).json<{
        results: ResultRow[];
      }>().results,
    /** A listing whose auction runs. */
    live: async (changes: Record<string, unknown> = {}) => {
      const receipt = await draft(changes);
      await wire('POST', `/v4/listings/items/${receipt.requestId}/commit`);
      await settle();
      return receipt;
    },
    listings: async (query = '') =>
      (await admin('GET', `/listings${query}`)).json<{ listings: AdminListing[] }>().listings,
    bid: (itemId: number, amount: number) => admin('POST', `/listings/${itemId}/bids`, { amount }),
    reconnect: async () => {
      headers = { ...headers, 'x-user-token': await token() };
    },
    useHeaders: (changes: Record<string, string>) => {
      headers = { ...headers, ...changes };
    },
  };
}

export type TestSeller = Awaited<ReturnType<typeof aSeller>>;

export const errorCode = (answer: Answer): string => answer.json<{ error: { code: string } }>().error.code;
