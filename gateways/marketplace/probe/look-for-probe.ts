import { Agent, request } from 'undici';
import { readBounded } from '../../../platform/read-bounded.ts';
import { requireSafeUrl, type MarketplaceAccess } from '../marketplace-http.ts';
import { v4Operations, type Operation, type OperationName } from '../v4-operations.ts';
import { headerNames } from '../wire.ts';
import { fieldOf, rowsOf } from './read-loosely.ts';

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
  readonly requestTimeoutMs: number;
  readonly now: Date;
}

/** One call. A function that returns null says that it can't be asked for. */
interface Look {
  readonly operation: OperationName;
  /** In place of the operation's own credential. */
  readonly as?: 'wrong key' | 'wrong token';
  readonly id?: (looked: Looked, options: ProbeOptions) => string | null;
  readonly query?: (looked: Looked, options: ProbeOptions) => Readonly<Record<string, string>> | null;
}

const dayMs = 86_400_000;
const daysAgo = (days: number, { now }: ProbeOptions): string => new Date(now.getTime() - days * dayMs).toISOString();
/** The seller's own auctions, running ones first. */
const someItem = ({ running, ended }: Looked): string | null => {
  const found = [running, ended].flatMap((answer) => rowsOf(answer?.body)).map((row) => fieldOf(row, 'id'));
  return found[0] === undefined ? null : String(found[0]);
};

/** In the order in which they are made. None changes anything. */
export const looks = {
  document: { operation: 'readInterfaceDocument' },
  time: { operation: 'readTime' },
  wrongKey: { operation: 'readTime', as: 'wrong key' },
  me: { operation: 'readMe' },
  wrongToken: { operation: 'readMe', as: 'wrong token' },
  bidderTypes: { operation: 'readBidderTypes' },
  itemTypes: { operation: 'readItemTypes' },
  fieldValues: { operation: 'readFieldValues' },
  shippingOptions: {
    operation: 'readShippingOptions',
    query: (_, { categoryIds }) => ({ fromCountryCodes: 'SE', categoryIds: String(categoryIds[0]) }),
  },
  categories: { operation: 'readCategories' },
  attributes: { operation: 'readAttributeDefinitions', id: (_, { categoryIds }) => String(categoryIds[0]) },
  otherAttributes: { operation: 'readAttributeDefinitions', id: (_, { categoryIds }) => String(categoryIds[1]) },
  running: { operation: 'readSellerItems', query: () => ({ filterActive: '1' }) },
  ended: {
    operation: 'readSellerItems',
    query: (_, options) => ({ filterActive: '2', minEndDate: daysAgo(7, options) }),
  },
  item: { operation: 'readItem', id: someItem },
  foreignItem: { operation: 'readItem', id: () => '1' },
  updated: { operation: 'readUpdatedItems', query: () => ({ rowVersion: '0' }) },
  updatedAfter: {
    operation: 'readUpdatedItems',
    query: ({ updated }) => {
      const highest = highestVersion(updated);
      return highest === null ? null : { rowVersion: highest };
    },
  },
  sales: { operation: 'readTransactions', query: (_, options) => ({ minTransactionDate: daysAgo(60, options) }) },
  changedSales: {
    operation: 'readTransactions',
    query: (_, options) => ({ minTransactionDate: daysAgo(60, options), filter: '4' }),
  },
  orders: {
    operation: 'readOrders',
    query: (_, options) => ({ fromDate: daysAgo(60, options), toDate: daysAgo(-1, options), queryDateMode: '1' }),
  },
  ordersWithoutEnd: {
    operation: 'readOrders',
    query: (_, options) => ({ fromDate: daysAgo(60, options), queryDateMode: '1' }),
  },
  results: { operation: 'readResults', query: () => ({ requestIds: '1' }) },
} as const satisfies Readonly<Record<string, Look>>;

export type LookName = keyof typeof looks;
export type Looked = Partial<Readonly<Record<LookName, ProbeAnswer>>>;

/** The highest row version of an answer, with all its digits; null without one. */
export const highestVersion = (answer: ProbeAnswer | undefined): string | null =>
  [...(answer?.text.matchAll(/"rowVersion"\s*:\s*"?(\d+)/gi) ?? [])]
    .map(([, digits = '0']) => BigInt(digits))
    .reduce<bigint | null>((highest, version) => (highest === null || version > highest ? version : highest), null)
    ?.toString() ?? null;

const isOfSeller = ({ operation }: Look): boolean => v4Operations[operation].credential === 'user';

/** How many calls the looks are, at most. */
export const countLooks = ({ seller }: Pick<ProbeOptions, 'seller'>): number =>
  Object.values<Look>(looks).filter((look) => seller !== null || !isOfSeller(look)).length;

/** Makes all looks, one after the other. What got no answer is left out. */
export async function lookForProbe(caller: ProbeCaller, options: ProbeOptions): Promise<Looked> {
  const looked: Partial<Record<LookName, ProbeAnswer>> = {};
  for (const [name, look] of Object.entries(looks) as [LookName, Look][]) {
    const [id, query] = [look.id?.(looked, options), look.query?.(looked, options)];
    if (id === null || query === null || (options.seller === null && isOfSeller(look))) continue;
    const answer = await caller.call(look.operation, { ...(id && { id }), ...(query && { query }), as: look.as });
    if (answer !== null) looked[name] = answer;
  }
  return looked;
}

export interface ProbeCaller {
  /** null without an answer. */
  call(name: OperationName, sent?: ProbeCall): Promise<ProbeAnswer | null>;
  close(): Promise<void>;
}

interface ProbeCall {
  /** In place of the path's parameter. */
  readonly id?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly as?: Look['as'];
}

const answerBytesMax = 32 * 1024 * 1024;

/** Calls without the adapter, which would fold their answers into what it makes of them. */
export function createProbeCaller(options: ProbeOptions): ProbeCaller {
  const { access, requestTimeoutMs } = options;
  requireSafeUrl(access.url);
  const timeouts = { headersTimeout: requestTimeoutMs, bodyTimeout: requestTimeoutMs };
  const agent = new Agent({ ...timeouts, connect: { timeout: requestTimeoutMs } });
  return {
    call: async (name, { id, query, body, as } = {}) => {
      const { method, path }: Operation = v4Operations[name];
      const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
      const url = access.url + path.replace(/\{\w+\}/, encodeURIComponent(id ?? '')) + search;
      const headers = { accept: 'application/json', ...credentialsOf(name, options, as) };
      const json = body === undefined ? {} : { body: JSON.stringify(body) };
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      try {
        return await readAnswer(await request(url, { method, dispatcher: agent, headers: { ...headers, ...type }, ...json }));
      } catch {
        // What can't be asked is shown as such, whatever the reason.
        return null;
      }
    },
    close: () => agent.close(),
  };
}

async function readAnswer({ statusCode, headers, body }: Awaited<ReturnType<typeof request>>): Promise<ProbeAnswer> {
  const { bytes } = await readBounded(body, answerBytesMax);
  const text = bytes.toString('utf8');
  const named = Object.entries(headers).map(([name, value]) => [name, String(value)]);
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

function credentialsOf(name: OperationName, { access, seller }: ProbeOptions, as: Look['as']): Record<string, string> {
  const { credential }: Operation = v4Operations[name];
  if (credential === 'none') return {};
  const { appId, appKey } = access;
  const application = { [headerNames.appId]: appId, [headerNames.appKey]: as === 'wrong key' ? wrongSecret : appKey };
  if (credential === 'application' || seller === null) return application;
  const token = as === 'wrong token' ? wrongSecret : seller.token;
  return { ...application, [headerNames.userId]: seller.userId, [headerNames.userToken]: token };
}
