import { existsSync } from 'node:fs';
import { loadAccountBook } from './demo-accounts.ts';
import type { Home } from './home.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The marketplace that the user's environment names in place of the simulator; '' for none. */
export const namedMarketplace = (environment: Environment): string => environment['MARKETPLACE_URL'] ?? '';

export const isOnLoopback = (url: string): boolean =>
  URL.canParse(url) && ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(url).hostname);

/** How the service is known to a marketplace. */
export interface MarketplaceApplication {
  readonly appId: string;
  readonly appKey: string;
  readonly publicKey: string;
}

/** A sale is seen within seconds, and calls are not counted. */
const quick = { MARKETPLACE_LOOK_INTERVAL_MS: '2000', MARKETPLACE_CALLS_PER_DAY: '1000000' } as const;

/**
 * Settings of compose/config.ts: for the simulator, or for the marketplace that `base` names. A real one gets the calls that its own
 * settings allow, and no test keys unless another marketplace is named for them.
 */
export function marketplaceSettings(
  base: Environment,
  { url, application }: { readonly url: string; readonly application: MarketplaceApplication },
): Environment {
  const named = namedMarketplace(base);
  if (named !== '') return isOnLoopback(named) ? { ...quick, ...given(base, Object.keys(quick)) } : {};
  return {
    ...quick,
    MARKETPLACE_URL: url,
    MARKETPLACE_APP_ID: application.appId,
    MARKETPLACE_APP_KEY: application.appKey,
    MARKETPLACE_PUBLIC_KEY: application.publicKey,
    MARKETPLACE_AD_URL: `${url}/item/{adId}`,
    // Nothing here is real, so every key is a test key. Another address has test keys beside live ones.
    SANDBOX_MARKETPLACE_URL: base['SANDBOX_MARKETPLACE_URL'] ?? url,
  };
}

const given = (base: Environment, names: readonly string[]): Environment =>
  Object.fromEntries(names.flatMap((name) => (base[name] ? [[name, base[name]]] : [])));

/** Why a marketplace that the environment names can't be used as it stands; null when it can. */
export function whyNoMarketplace(environment: Environment): string | null {
  if (namedMarketplace(environment) === '') return null;
  const missing = ['MARKETPLACE_APP_ID', 'MARKETPLACE_APP_KEY'].filter(
    (name) => !environment[name] && !environment[`${name}_FILE`],
  );
  return missing.length === 0 ? null : `MARKETPLACE_URL needs ${missing.join(' and ')}: how the service is known there`;
}

/** What was put up at one marketplace must never be looked for, or taken down, at another. */
export function whyOtherMarketplace(home: Home, environment: Environment): string | null {
  const { namedMarketplace: before = '' } = existsSync(home.accountsFile) ? loadAccountBook(home.accountsFile) : {};
  const named = namedMarketplace(environment);
  if (!existsSync(home.accountsFile) || before === named) return null;
  const other = before === '' ? 'the simulated marketplace' : before;
  return `the data here are of ${other}: start with --fresh, which removes them, or name another folder by ITEMBRIDGE_HOME`;
}
