import { randomUUID } from 'node:crypto';
import { createBulkSyncs, type BulkSyncs } from './bulk-syncs.ts';
import { createClient, createConfig } from './generated/client/index.ts';
import { repeatablePosts } from './generated/repeatable-posts.ts';
import { ItembridgeApi } from './generated/sdk.gen.ts';
import { errorFromAnswer } from './itembridge-error.ts';
import { createPages, type Pages } from './pages.ts';
import { requirePathValues } from './path-values.ts';
import { defaultRetries, sendWithRetries, type RetrySettings } from './retries.ts';
import type { Transport } from './transport.ts';
import { userAgentOf } from './user-agent.ts';

export interface ClientSettings {
  /** Address of the API, such as `https://api.example.se`. */
  readonly baseUrl: string;
  /** For items, bulk syncs and the event feed. */
  readonly apiKey?: string | undefined;
  /** For calls of the dashboard: an access token, or a function that returns one (see `openSession`). */
  readonly session?: string | (() => Promise<string> | string) | undefined;
  /** A reseller's reference of the member to act for, sent with every call that uses the API key. */
  readonly partnerAccount?: string | undefined;
  /** Name and version of the program that uses the client, such as `my-erp/3.1`: the first part of the `User-Agent`. */
  readonly application?: string | undefined;
  /** The platform's own by default. */
  readonly fetch?: typeof fetch | undefined;
  readonly retries?: Partial<RetrySettings> | undefined;
}

export interface ItembridgeClient extends Pages {
  /** Every operation of the interface document by its name; resolves with `{ data, response }`, throws {@link ItembridgeError}. */
  readonly api: ItembridgeApi;
  readonly bulkSyncs: BulkSyncs;
}

/**
 * A client of one account (or of one member of a reseller). It waits for rate limits and repeats calls that may be
 * repeated. POSTs that support it get an `Idempotency-Key`, so that they can be repeated, too. Pass `{ signal }` to
 * abort a call.
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
      // A redirect would send the key to another address.
      redirect: 'error',
      requestValidator: checkPath,
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

/** The generated code makes the path after this. It must not throw at once, because that code awaits it. */
async function checkPath(request: unknown): Promise<void> {
  if (typeof request !== 'object' || request === null || !('url' in request)) return;
  requirePathValues(String(request.url), 'path' in request && isRecord(request.path) ? request.path : {});
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

interface Sending {
  readonly send: typeof fetch;
  readonly retries: RetrySettings;
}

/**
 * The body is read once and may be sent several times: all bodies but uploads are small. A request's signal follows the
 * caller's only while the request itself is in memory, so every try refers to it.
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
  // A conditional write that succeeded, but whose answer was lost, would be refused with 412 when it is repeated.
  if (headers.has('if-match')) return false;
  return method !== 'POST' || headers.has('idempotency-key');
}
