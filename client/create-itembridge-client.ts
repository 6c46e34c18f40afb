import { randomUUID } from 'node:crypto';
import { createBulkSyncs, type BulkSyncs } from './bulk-syncs.ts';
import { createClient, createConfig } from './generated/client/index.ts';
import { repeatablePosts } from './generated/repeatable-posts.ts';
import { ItembridgeApi } from './generated/sdk.gen.ts';
import { errorFromAnswer } from './itembridge-error.ts';
import { createPages, type Pages } from './pages.ts';
import { defaultRetries, sendWithRetries, type RetrySettings } from './retries.ts';
import type { Transport } from './transport.ts';
import { userAgentOf } from './user-agent.ts';

export interface ClientSettings {
  /** Where the API answers, such as `https://api.example.se`. */
  readonly baseUrl: string;
  /** For items, bulk syncs and the feed of events. */
  readonly apiKey?: string | undefined;
  /** For what belongs to the dashboard: an access token, or who gives one (see `openSession`). */
  readonly session?: string | (() => Promise<string> | string) | undefined;
  /** A reseller's reference of the member to act for, sent with every call that takes the API key. */
  readonly partnerAccount?: string | undefined;
  /** Name and version of the program that uses the client, such as `my-erp/3.1`: the first part of the `User-Agent`. */
  readonly application?: string | undefined;
  /** By default the one that the platform has. */
  readonly fetch?: typeof fetch | undefined;
  readonly retries?: Partial<RetrySettings> | undefined;
}

export interface ItembridgeClient extends Pages {
  /** Every operation of the interface document by its name; resolves with `{ data, response }`, throws {@link ItembridgeError}. */
  readonly api: ItembridgeApi;
  readonly bulkSyncs: BulkSyncs;
}

/**
 * A client of one account (or of one member of a reseller). Waits out rate limits, repeats what may be repeated, and gives POSTs that
 * honour it an `Idempotency-Key` of its own, so that they may be repeated too. Give a call `{ signal }` to be able to stop it.
 */
export function createItembridgeClient(settings: ClientSettings): ItembridgeClient {
  const transport = createTransport(settings);
  const api = new ItembridgeApi({ client: transport.client });
  return { api, ...createPages(api), bulkSyncs: createBulkSyncs(transport) };
}

function createTransport({ baseUrl, apiKey, session, partnerAccount, ...settings }: ClientSettings): Transport {
  const userAgent = userAgentOf(settings.application);
  const retries: RetrySettings = { ...defaultRetries, ...settings.retries };
  const send = settings.fetch ?? fetch;
  const url = baseUrl.replace(/\/+$/, '');
  const client = createClient(
    createConfig({
      baseUrl: url,
      headers: { 'user-agent': userAgent },
      throwOnError: true,
      // A redirect would carry the key to wherever it leads.
      redirect: 'error',
      auth: ({ type }) => (type === 'apiKey' ? apiKey : typeof session === 'function' ? session() : session),
      fetch: (input, init) => sendRepeatable(new Request(input, init), { send, retries }),
    }),
  );
  client.interceptors.request.use((request, { url: path }) => {
    if (partnerAccount !== undefined && request.headers.has('x-api-key') && !request.headers.has('x-partner-account'))
      request.headers.set('x-partner-account', partnerAccount);
    if (request.method === 'POST' && repeatablePosts.has(path) && !request.headers.has('idempotency-key'))
      request.headers.set('idempotency-key', randomUUID());
    return request;
  });
  client.interceptors.error.use((error, response: Response | undefined) =>
    response === undefined ? error : errorFromAnswer(response, error),
  );
  const headers = {
    'user-agent': userAgent,
    ...(apiKey !== undefined && { 'x-api-key': apiKey }),
    ...(partnerAccount !== undefined && { 'x-partner-account': partnerAccount }),
  };
  return { client, baseUrl: url, retries, fetch: send, headers };
}

interface Sending {
  readonly send: typeof fetch;
  readonly retries: RetrySettings;
}

/**
 * The body is read once and sent as often as it takes: all but uploads are small. A request's signal follows the caller's only
 * as long as the request itself is in memory, so every try refers to it.
 */
async function sendRepeatable(request: Request, { send, retries }: Sending): Promise<Response> {
  const { url, method, headers, redirect } = request;
  const body = request.body === null ? undefined : await request.arrayBuffer();
  const init = { method, headers, redirect, ...(body !== undefined && { body }) };
  return sendWithRetries(() => send(url, { ...init, signal: request.signal }), {
    retries,
    isRepeatable: isRepeatable(request),
    signal: request.signal,
  });
}

function isRepeatable({ method, headers }: Request): boolean {
  // Done by a first try whose answer got lost, a conditional write refuses the second one with 412.
  if (headers.has('if-match')) return false;
  return method !== 'POST' || headers.has('idempotency-key');
}
