import { Agent, request } from 'undici';
import { readBounded } from '../../../platform/read-bounded.ts';
import { requireSafeUrl, type MarketplaceAccess } from '../marketplace-http.ts';
import { v4Operations, type Operation, type OperationName } from '../v4-operations.ts';
import { headerNames } from '../wire.ts';
import { at, fieldOf, rowsOf } from './read-loosely.ts';

/** An answer as it came. It may hold data of buyers, so only what is judged of it leaves this folder. */
export interface ProbeAnswer {
  readonly status: number;
  /** undefined when it is no JSON. */
  readonly body: unknown;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ProbeOptions {
  readonly access: MarketplaceAccess;
  /** A user with its token, whose running and ended auctions are looked at; null: nothing of a user is asked. */
  readonly seller: { readonly userId: string; readonly token: string } | null;
  /** Categories whose attributes are asked for. */
  readonly categoryIds: readonly [number, number];
  /** Asked for, what is sent as a draft and as its picture; null: nothing is created. */
  readonly draft: { readonly listing: object; readonly picture: object } | null;
  readonly requestTimeoutMs: number;
  readonly now: Date;
}

export type LookName =
  | ('document' | 'time' | 'wrongKey' | 'me' | 'wrongToken' | 'bidderTypes' | 'itemTypes' | 'fieldValues')
  | ('shippingOptions' | 'categories' | 'attributes' | 'otherAttributes' | 'running' | 'ended' | 'item' | 'foreignItem')
  | ('updated' | 'updatedAfter' | 'sales' | 'changedSales' | 'orders' | 'ordersWithoutEnd' | 'results')
  | ('draft' | 'picture' | 'draftResult' | 'draftItem');
/** What was not asked, or got no answer, is missing. */
export type Looked = Partial<Readonly<Record<LookName, ProbeAnswer>>>;

/** One call. A function that returns null says that it can't be asked for. */
export interface Look {
  readonly name: LookName;
  readonly operation: OperationName;
  /** In place of the operation's own credential. */
  readonly as?: 'wrong key' | 'wrong token';
  /** In place of the path's parameter. */
  readonly id?: (looked: Looked, options: ProbeOptions) => string | null;
  readonly query?: (looked: Looked, options: ProbeOptions) => Readonly<Record<string, string>> | null;
  readonly body?: (options: ProbeOptions) => object;
}

const dayMs = 86_400_000;
const daysAgo = (days: number, { now }: ProbeOptions): string => new Date(now.getTime() - days * dayMs).toISOString();
const idIn = (body: unknown, name: string): string | null => {
  const id = fieldOf(body, name);
  return typeof id === 'number' || typeof id === 'string' ? String(id) : null;
};
/** The seller's own auctions, running ones first. */
const someItem = ({ running, ended }: Looked): string | null =>
  idIn([running, ended].flatMap((answer) => rowsOf(answer?.body))[0], 'id');

const soldLately = (options: ProbeOptions) => ({ minTransactionDate: daysAgo(60, options) });
const changedLately = (options: ProbeOptions) => ({ fromDate: daysAgo(60, options), queryDateMode: '1' });

/** In the order in which they are made. None changes anything. */
const readingLooks: readonly Look[] = [
  { name: 'document', operation: 'readInterfaceDocument' },
  { name: 'time', operation: 'readTime' },
  { name: 'wrongKey', operation: 'readTime', as: 'wrong key' },
  { name: 'me', operation: 'readMe' },
  { name: 'wrongToken', operation: 'readMe', as: 'wrong token' },
  { name: 'bidderTypes', operation: 'readBidderTypes' },
  { name: 'itemTypes', operation: 'readItemTypes' },
  { name: 'fieldValues', operation: 'readFieldValues' },
  {
    name: 'shippingOptions',
    operation: 'readShippingOptions',
    query: (_, { categoryIds }) => ({ fromCountryCodes: 'SE', categoryIds: String(categoryIds[0]) }),
  },
  { name: 'categories', operation: 'readCategories' },
  { name: 'attributes', operation: 'readAttributeDefinitions', id: (_, { categoryIds }) => String(categoryIds[0]) },
  {
    name: 'otherAttributes',
    operation: 'readAttributeDefinitions',
    id: (_, { categoryIds }) => String(categoryIds[1]),
  },
  { name: 'running', operation: 'readSellerItems', query: () => ({ filterActive: '1' }) },
  {
    name: 'ended',
    operation: 'readSellerItems',
    query: (_, options) => ({ filterActive: '2', minEndDate: daysAgo(7, options) }),
  },
  { name: 'item', operation: 'readItem', id: someItem },
  { name: 'foreignItem', operation: 'readItem', id: () => '1' },
  { name: 'updated', operation: 'readUpdatedItems', query: () => ({ rowVersion: '0' }) },
  {
    name: 'updatedAfter',
    operation: 'readUpdatedItems',
    query: ({ updated }) => {
      const highest = highestVersion(updated);
      return highest === null ? null : { rowVersion: highest };
    },
  },
  { name: 'sales', operation: 'readTransactions', query: (_, options) => soldLately(options) },
  {
    name: 'changedSales',
    operation: 'readTransactions',
    query: (_, options) => ({ ...soldLately(options), filter: '4' }),
  },
  {
    name: 'orders',
    operation: 'readOrders',
    query: (_, options) => ({ ...changedLately(options), toDate: daysAgo(-1, options) }),
  },
  { name: 'ordersWithoutEnd', operation: 'readOrders', query: (_, options) => changedLately(options) },
  { name: 'results', operation: 'readResults', query: () => ({ requestIds: '1' }) },
];

/** A draft with a picture, which is never committed, so that nothing is put up for sale. */
const draftLooks: readonly Look[] = [
  { name: 'draft', operation: 'createItem', body: ({ draft }) => draft?.listing ?? {} },
  {
    name: 'picture',
    operation: 'addImage',
    id: ({ draft }) => idIn(draft?.body, 'requestId'),
    body: ({ draft }) => draft?.picture ?? {},
  },
  {
    name: 'draftResult',
    operation: 'readResults',
    query: ({ draft }) => {
      const requestIds = idIn(draft?.body, 'requestId');
      return requestIds === null ? null : { requestIds };
    },
  },
  { name: 'draftItem', operation: 'readItem', id: ({ draft }) => idIn(draft?.body, 'itemId') },
];

const isOfSeller = ({ operation }: Look): boolean => v4Operations[operation].credential === 'user';

export const looksOf = ({ seller, draft }: Pick<ProbeOptions, 'seller' | 'draft'>): readonly Look[] =>
  [...readingLooks, ...(draft === null ? [] : draftLooks)].filter((look) => seller !== null || !isOfSeller(look));

/** How many of the application's calls of the day that takes at most: the document needs no key, a wrong key belongs to no application. */
export const countCalls = (looks: readonly Look[]): number =>
  looks.filter(({ operation, as }) => v4Operations[operation].credential !== 'none' && as !== 'wrong key').length;

/** Such as `404 NotFound`: the code, never the message, which may quote what was sent. */
export function statusAndCode({ status, body }: ProbeAnswer): string {
  const code = at(body, 'error.code');
  return typeof code === 'string' ? `${status} ${code.slice(0, 40)}` : String(status);
}

/** The highest row version of an answer, with all its digits; null without one. */
export const highestVersion = (answer: ProbeAnswer | undefined): string | null =>
  [...(answer?.text.matchAll(/"rowVersion"\s*:\s*"?(\d+)/gi) ?? [])]
    .map(([, digits = '0']) => BigInt(digits))
    .reduce<bigint | null>((highest, version) => (highest === null || version > highest ? version : highest), null)
    ?.toString() ?? null;

/** Makes all looks, one after the other. */
export async function lookForProbe(options: ProbeOptions): Promise<Looked> {
  const caller = openCaller(options);
  const looked: Partial<Record<LookName, ProbeAnswer>> = {};
  try {
    for (const look of looksOf(options)) {
      const [id, query] = [look.id?.(looked, options), look.query?.(looked, options)];
      if (id === null || query === null) continue;
      const answer = await caller.call(look, { id, query, body: look.body?.(options) });
      if (answer !== null) looked[look.name] = answer;
    }
    return looked;
  } finally {
    await caller.close();
  }
}

interface Sent {
  readonly id: string | undefined;
  readonly query: Readonly<Record<string, string>> | undefined;
  readonly body: object | undefined;
}

const answerBytesMax = 64 * 1024 * 1024;

/** Calls without the adapter, which would fold the answers into what it makes of them. null: no answer came. */
function openCaller(options: ProbeOptions) {
  const { access, requestTimeoutMs } = options;
  requireSafeUrl(access.url);
  const timeouts = { headersTimeout: requestTimeoutMs, bodyTimeout: requestTimeoutMs };
  const agent = new Agent({ ...timeouts, connect: { timeout: requestTimeoutMs } });
  return {
    call: async (look: Look, { id = '', query = {}, body }: Sent): Promise<ProbeAnswer | null> => {
      const { method, path }: Operation = v4Operations[look.operation];
      const url = `${access.url + path.replace(/\{\w+\}/, encodeURIComponent(id))}?${new URLSearchParams(query).toString()}`;
      const json = body === undefined ? {} : { 'content-type': 'application/json' };
      const headers = { accept: 'application/json', ...json, ...credentialsOf(look, options) };
      try {
        const sent = { method, headers, ...(body && { body: JSON.stringify(body) }), dispatcher: agent };
        return await readAnswer(await request(url.replace(/\?$/, ''), sent));
      } catch {
        // What got no answer is shown as such, whatever the reason.
        return null;
      }
    },
    close: () => agent.close(),
  };
}

async function readAnswer({ statusCode, headers, body }: Awaited<ReturnType<typeof request>>): Promise<ProbeAnswer> {
  const { bytes } = await readBounded(body, answerBytesMax);
  const text = bytes.toString('utf8');
  const named = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return { status: statusCode, text, body: parsed(text), headers: Object.fromEntries(named) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const wrongSecret = '00000000-0000-4000-8000-000000000000';

function credentialsOf({ operation, as }: Look, { access, seller }: ProbeOptions): Record<string, string> {
  const { credential }: Operation = v4Operations[operation];
  if (credential === 'none') return {};
  const { appId, appKey } = access;
  const application = { [headerNames.appId]: appId, [headerNames.appKey]: as === 'wrong key' ? wrongSecret : appKey };
  if (credential === 'application' || seller === null) return application;
  const token = as === 'wrong token' ? wrongSecret : seller.token;
  return { ...application, [headerNames.userId]: seller.userId, [headerNames.userToken]: token };
}
