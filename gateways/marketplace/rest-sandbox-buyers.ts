import { createMarketplaceHttp, requireSafeUrl, type MarketplaceAccess } from './marketplace-http.ts';
import type { SandboxBuyers } from './port.ts';
import { ignoreBody } from './rest-marketplace.ts';

/**
 * Actions of buyers at the simulated marketplace, called with the token of the seller. The real marketplace has none of
 * these paths.
 */
export function createSandboxBuyers(access: MarketplaceAccess & { readonly requestTimeoutMs: number }): SandboxBuyers {
  requireSafeUrl(access.url);
  const http = createMarketplaceHttp({ ...access, accessOf: () => access });
  const play = { operation: 'end', purpose: 'feed', effect: 'draft', method: 'POST', parse: ignoreBody } as const;
  return {
    end: (seller, adId, bidKronor) =>
      http.call({
        ...play,
        seller,
        path: `/v4/sandbox/items/${encodeURIComponent(adId)}/end`,
        body: bidKronor === null ? {} : { bid: bidKronor },
      }),
    pay: (seller, transactionId) =>
      http.call({ ...play, seller, path: `/v4/sandbox/transactions/${encodeURIComponent(transactionId)}/pay` }),
    close: () => http.close(),
  };
}
