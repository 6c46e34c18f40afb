import { randomBytes } from 'node:crypto';
import { Agent, request } from 'undici';
import { readBounded } from '../../platform/read-bounded.ts';
import { requireSafeUrl, type MarketplaceHttpOptions } from './marketplace-http.ts';
import { SandboxUnavailable, type SandboxUsers } from './port.ts';
import { headerNames } from './wire.ts';

const answerBytesMax = 64 * 1024;

/**
 * Creates users of the simulated marketplace through the real one's consent flow. The simulator's login page consents
 * without a person, so everything used here is open to any caller.
 */
export function createSandboxUsers(options: MarketplaceHttpOptions): SandboxUsers {
  requireSafeUrl(options.url);
  const timeouts = { headersTimeout: options.requestTimeoutMs, bodyTimeout: options.requestTimeoutMs };
  const agent = new Agent({ ...timeouts, connect: { timeout: options.requestTimeoutMs } });
  const send = (path: string, sent: Pick<Parameters<typeof request>[1] & object, 'method' | 'headers' | 'body'>) =>
    textOf(request(options.url + path, { ...sent, dispatcher: agent }));
  return {
    async open(userId) {
      const secretKey = randomBytes(32).toString('hex');
      const consent = new URLSearchParams({ appId: options.appId, pkey: secretKey, userId });
      await send(`/token-login?${consent.toString()}`, { method: 'GET' });
      const answer = await send('/v4/auth/token', {
        method: 'POST',
        headers: {
          ...{ accept: 'application/json', 'content-type': 'application/json' },
          ...{ [headerNames.appId]: options.appId, [headerNames.appKey]: options.appKey },
        },
        body: JSON.stringify({ userId, secretKey }),
      });
      return readToken(answer);
    },
    close: () => agent.close(),
  };
}

/** Throws {@link SandboxUnavailable}. The answer is not quoted, because it may hold a token. */
async function textOf(sent: ReturnType<typeof request>): Promise<string> {
  try {
    const { statusCode, body } = await sent;
    const { bytes, truncated } = await readBounded(body, answerBytesMax);
    if (statusCode !== 200 || truncated) throw new SandboxUnavailable(`it answered HTTP ${statusCode}`);
    return bytes.toString('utf8');
  } catch (error) {
    if (error instanceof SandboxUnavailable) throw error;
    throw new SandboxUnavailable('it is out of reach', { cause: error });
  }
}

function readToken(answer: string): string {
  try {
    const body: unknown = JSON.parse(answer);
    if (typeof body === 'object' && body !== null && 'authToken' in body && typeof body.authToken === 'string')
      return body.authToken;
  } catch (error) {
    throw new SandboxUnavailable('its answer is not JSON', { cause: error });
  }
  throw new SandboxUnavailable('its answer has no token');
}
