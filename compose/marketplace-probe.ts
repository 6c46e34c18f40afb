import {
  probeMarketplace,
  type MarketplaceProbe,
  type ProbeSettings,
} from '../gateways/marketplace/probe/probe-marketplace.ts';
import type { Config } from './config.ts';

export type { MarketplaceProbe };

/** The configured marketplace, beside what the service takes for granted of it. */
export const openMarketplaceProbe = (
  { url, appId, appKey, wire, fallbackCategoryId, requestTimeoutMs }: Config['marketplace'],
  asked: Pick<ProbeSettings, 'seller' | 'withDraft'>,
): MarketplaceProbe =>
  probeMarketplace({
    access: { url, appId, appKey },
    wire,
    fallbackCategoryId,
    requestTimeoutMs,
    ...asked,
    now: new Date(),
  });
