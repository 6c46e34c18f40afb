/** Points allowed at once, and how many per second are refilled. Most calls cost one. */
export interface RateSetting {
  readonly burst: number;
  readonly perSecond: number;
}

/** The defaults; compose/config.ts reads the settings that replace them. */
export const rateLimits = {
  /** All API keys of one account, and of its sandbox. */
  key: { burst: 200, perSecond: 100 },
  /** All sessions of one account. */
  account: { burst: 200, perSecond: 50 },
  /** Of one address: calls without a credential, category conversions, refused API keys. */
  address: { burst: 200, perSecond: 50 },
  convert: { burst: 10, perSecond: 10 },
  failed: { burst: 100, perSecond: 1 },
} as const satisfies Readonly<Record<string, RateSetting>>;

/** Calls of a reseller's keys for one member. At least one, because a bucket below one call would refuse every call. */
export const memberLimit = ({ burst, perSecond }: RateSetting): RateSetting => ({
  burst: Math.max(1, burst / 2),
  perSecond: perSecond / 2,
});
