import Stripe from 'stripe';
import { readBounded } from '../../platform/read-bounded.ts';

export interface StripeOptions {
  /** Base address of the processor's API; '' is its own. HTTPS, or HTTP on loopback (the simulator): the key travels in every call. */
  readonly url: string;
  readonly secretKey: string;
  /** For each attempt, in ms, from connecting to the last byte; an attempt with a network error is repeated once. */
  readonly timeoutMs: number;
}

const answerBytesMax = 4 * 1024 * 1024;
const retriesMax = 1;

export function createStripeClient({ url, secretKey, timeoutMs }: StripeOptions): Stripe {
  return new Stripe(secretKey, {
    ...(url !== '' && addressOf(url)),
    timeout: timeoutMs,
    maxNetworkRetries: retriesMax,
    telemetry: false,
    appInfo: { name: 'itembridge' },
    httpClient: Stripe.createFetchHttpClient(boundedFetch),
  });
}

function addressOf(url: string): { protocol: 'http' | 'https'; host: string; port?: string } {
  const { protocol, hostname, port } = new URL(url);
  const isOnLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  const isHttps = protocol === 'https:';
  if (!isHttps && !(protocol === 'http:' && isOnLoopback))
    throw new Error('the payment processor must be called over HTTPS (HTTP only on loopback)');
  const portOf = port === '' ? (isHttps ? '443' : '80') : port;
  return { protocol: isHttps ? 'https' : 'http', host: hostname, port: portOf };
}

/** Follows no redirect, because the key would go along, and reads no endless answer. */
async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers);
  // Fetch sets the length itself. With undici loaded as well, a length given twice is an error.
  headers.delete('content-length');
  const response = await fetch(input, { ...init, headers, redirect: 'error' });
  if (response.body === null) return response;
  const { bytes, truncated } = await readBounded(response.body, answerBytesMax);
  if (truncated) throw new Error('the answer is too long');
  return new Response(new Uint8Array(bytes), { status: response.status, headers: response.headers });
}
