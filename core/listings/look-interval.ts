const dayMs = 86_400_000;

export interface LookPlan {
  /** The configured pause between two polls of an account. */
  readonly settingMs: number;
  /** Calls to one feed that the marketplace allows the application per day. */
  readonly callsPerDay: number;
  /** Number of accounts that are polled. */
  readonly watchedAccounts: number;
}

/** The pause between two polls of an account: the setting, or longer when the call budget requires it (protocol 8). */
export const lookIntervalMs = ({ settingMs, callsPerDay, watchedAccounts }: LookPlan): number =>
  Math.max(settingMs, Math.ceil((watchedAccounts * dayMs) / Math.max(1, callsPerDay)));

const sandboxLookMaxMs = 60_000;

/** The same for a sandbox: who tries something waits for it, and no call budget has to last for the day. */
export const sandboxLookIntervalMs = (settingMs: number): number => Math.min(settingMs, sandboxLookMaxMs);
