const dayMs = 86_400_000;

export interface LookPlan {
  /** The configured pause between two looks at an account. */
  readonly settingMs: number;
  /** Calls of one feed that the marketplace allows the application a day. */
  readonly callsPerDay: number;
  /** Accounts that are looked at. */
  readonly watchedAccounts: number;
}

/** The pause between two looks at an account: the setting, or longer when the call budget asks for it (protocol 8). */
export const lookIntervalMs = ({ settingMs, callsPerDay, watchedAccounts }: LookPlan): number =>
  Math.max(settingMs, Math.ceil((watchedAccounts * dayMs) / Math.max(1, callsPerDay)));
