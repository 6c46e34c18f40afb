import type { MarketplaceLogin } from '../../gateways/marketplace/port.ts';

/** A marketplace at which every user has consented to every login. The address of its page names the login. */
export const consentingLogin: MarketplaceLogin = {
  pageUrl: (_secret, { login }) => `https://marketplace.example/token-login?login=${login ?? ''}`,
  fetchToken: () => Promise.resolve({ token: 'a-token', expiresAt: null }),
  close: () => Promise.resolve(),
};
