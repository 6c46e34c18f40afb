const names = ['KEY', 'ACCOUNT', 'ADDRESS', 'CONVERT', 'FAILED'] as const;

/** Settings for systems whose callers are to meet no limit, although it is counted. */
export const generousRateLimits: Readonly<Record<string, string>> = Object.fromEntries(
  names.flatMap((name) => ['BURST', 'PER_SECOND'].map((what) => [`RATE_LIMIT_${name}_${what}`, '1000000'] as const)),
);
