import { Type } from 'typebox';
import { Agent, request } from 'undici';
import { readBounded } from '../../platform/read-bounded.ts';
import { requireSafeUrl, type MarketplaceAccess } from './marketplace-http.ts';
import { SandboxUnavailable, type SandboxUsers } from './port.ts';
import { id, reader } from './wire-kit.ts';
import { headerNames } from './wire.ts';

const answerBytesMax = 64 * 1024;
const userAnswer = reader(Type.Object({ userId: id, authToken: Type.String({ minLength: 1 }) }));

/** Users of the simulated marketplace, by a route that the real one does not have. */
export function createSandboxUsers(options: MarketplaceAccess & { readonly requestTimeoutMs: number }): SandboxUsers {
  requireSafeUrl(options.url);
  const timeouts = { headersTimeout: options.requestTimeoutMs, bodyTimeout: options.requestTimeoutMs };
  const agent = new Agent({ ...timeouts, connect: { timeout: options.requestTimeoutMs } });
  return {
    async open(name) {
      try {
        const { statusCode, body } = await request(`${options.url}/v4/sandbox/users`, {
          method: 'POST',
          dispatcher: agent,
          headers: {
            accept: 'application/json',
            'content-type': 'application/json',
            [headerNames.appId]: options.appId,
            [headerNames.appKey]: options.appKey,
          },
          body: JSON.stringify({ name }),
        });
        const { bytes } = await readBounded(body, answerBytesMax);
        if (statusCode !== 200) throw new SandboxUnavailable(`it answered HTTP ${statusCode}`);
        const { userId, authToken } = userAnswer(JSON.parse(bytes.toString('utf8')));
        return { marketplaceUserId: String(userId), token: authToken };
      } catch (error) {
        if (error instanceof SandboxUnavailable) throw error;
        // The answer is not quoted, because it may hold a token.
        throw new SandboxUnavailable('it is out of reach, or its answer has no token', { cause: error });
      }
    },
    close: () => agent.close(),
  };
}
