import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionContext } from 'ava';
import { accountId } from '../../../features/rules/ids.ts';
import { MarketplaceError, type ListingDraft, type Seller } from '../../../gateways/marketplace/port.ts';
import {
  createRestMarketplace,
  type RestMarketplace,
  type RestMarketplaceOptions,
} from '../../../gateways/marketplace/rest-marketplace.ts';
import { Secret } from '../../../platform/security/secret.ts';
import { bodyOf, startHttp } from './local-server.ts';

export interface SeenCall {
  readonly method: string | undefined;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export type Answer =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | ((response: ServerResponse, request: IncomingMessage) => void);

export const appKey = 'app-key-0123456789';
export const token = 'token-abcdef-abcdef';
export const seller: Seller = {
  accountId: accountId('account-1'),
  marketplaceUserId: '77',
  isSandbox: false,
  token: new Secret(token),
};

export const now = new Date('2026-11-21T12:00:00Z');
export const adUrlTemplate = 'https://m.example/ad/{adId}';

export const startingAt = (startPriceKronor: number) => ({
  startPriceKronor,
  reservePriceKronor: null,
  buyNowPriceKronor: null,
});

export function aDraft(changes: Partial<ListingDraft> = {}): ListingDraft {
  return {
    title: 'Strålkastare',
    descriptionHtml: '<p>Hel</p>',
    categoryId: 520,
    ...startingAt(450),
    shippingKronor: 99,
    shippingOptions: null,
    vatPercent: null,
    endsAt: null,
    durationDays: 7,
    weightKg: 2.5,
    ownReferences: ['A1', 'item-1', 'item-1:1'],
    ...changes,
  };
}

/** An item in the marketplace's words, with what is read of one. */
export const anItem = (changes: object = {}): object => ({
  id: 9001,
  ownReferences: ['A1', 'item-1', 'item-1:1'],
  endDate: '2026-11-28T12:00:00Z',
  openingBid: 450,
  openingBidSpecified: true,
  totalBids: 0,
  maxBid: 0,
  maxBidSpecified: false,
  reservePrice: 0,
  reservePriceSpecified: false,
  buyItNowPrice: 0,
  buyItNowPriceSpecified: false,
  status: { ended: false, gotBidders: false, gotWinner: false },
  itemLink: 'https://m.example/item/520/9001/x',
  imageLinks: ['https://m.example/1.jpg'],
  ...changes,
});

/** What is read of {@link anItem}. */
export const anAuction = {
  adId: '9001',
  adUrl: 'https://m.example/item/520/9001/x',
  ownReferences: ['A1', 'item-1', 'item-1:1'],
  ...startingAt(450),
  isOver: false,
  hasWinner: false,
  bids: 0,
  priceKronor: 450,
  pictures: 1,
  endsAt: new Date('2026-11-28T12:00:00Z'),
};

/** A refusal in the marketplace's own words. */
export const says = (status: number, code: string, headers?: Record<string, string>): Answer => ({
  status,
  body: { error: { code, message: `${code} it is` } },
  ...(headers && { headers }),
});

export async function fails(
  t: ExecutionContext,
  work: Promise<unknown>,
  expected: Partial<MarketplaceError>,
): Promise<MarketplaceError> {
  const error = await t.throwsAsync(work, { instanceOf: MarketplaceError });
  t.like(error, expected, error.message);
  return error;
}

/** A marketplace that gives each call the next of `answers` (the last one for all that follow) and remembers what it was asked. */
export async function setUp(
  t: ExecutionContext,
  answers: readonly Answer[],
  options: Partial<RestMarketplaceOptions> = {},
) {
  const calls: SeenCall[] = [];
  const server = await startHttp((request, response) => {
    const answer = answers[Math.min(calls.length, answers.length - 1)];
    const { method, url = '', headers } = request;
    const call = { method, url, headers, body: undefined as unknown };
    calls.push(call);
    if (typeof answer === 'function') return answer(response, request);
    bodyOf(request).then(
      (bytes) => {
        if (bytes.length > 0) call.body = JSON.parse(bytes.toString());
        const text = typeof answer?.body === 'string' ? answer.body : JSON.stringify(answer?.body);
        response.writeHead(answer?.status ?? 500, answer?.headers).end(text);
      },
      () => response.destroy(),
    );
  });
  const marketplace: RestMarketplace = createRestMarketplace({
    live: { url: server.url, appId: 'app-1', appKey },
    // Patient: on a busy machine other tests hold this process for seconds.
    requestTimeoutMs: 60_000,
    adUrlTemplate,
    now: () => now,
    ...options,
  });
  t.teardown(async () => {
    await marketplace.close();
    await server.close();
  });
  return { marketplace, calls, server };
}
