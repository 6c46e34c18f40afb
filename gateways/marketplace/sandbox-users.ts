import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { createMarketplaceLogin, type MarketplaceLoginOptions } from './marketplace-login.ts';
import { LoginRefused, SandboxUnavailable, type SandboxUsers } from './port.ts';

/**
 * Creates users of the simulated marketplace through the real one's consent flow. The simulator's login page consents
 * without a person, so everything used here is open to any caller.
 */
export function createSandboxUsers(options: MarketplaceLoginOptions): SandboxUsers {
  const login = createMarketplaceLogin(options);
  const timeouts = { headersTimeout: options.requestTimeoutMs, bodyTimeout: options.requestTimeoutMs };
  const agent = new Agent({ ...timeouts, connect: { timeout: options.requestTimeoutMs } });
  return {
    async open(userId) {
      const secretKey = randomUUID();
      try {
        const page = await request(`${login.pageUrl(secretKey, {})}&userId=${userId}`, { dispatcher: agent });
        await page.body.dump();
        return (await login.fetchToken(userId, secretKey)).token.reveal();
      } catch (error) {
        const reason = error instanceof LoginRefused ? error.message : 'it is out of reach';
        throw new SandboxUnavailable(reason, { cause: error });
      }
    },
    close: async () => {
      await Promise.all([login.close(), agent.close()]);
    },
  };
}
