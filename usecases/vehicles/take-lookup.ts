import type { AccountId } from '../../core/ids.ts';
import type { CallLimits, PaidCalls } from '../../store/paid-calls/paid-calls.ts';

/** The registry may not be asked now. */
export class LookupsUsedUp extends Error {
  override readonly name = 'LookupsUsedUp';
  readonly problem: 'account_used_up' | 'all_used_up';
  readonly retryAfterSeconds: number;

  constructor(problem: LookupsUsedUp['problem'], retryAfterSeconds: number) {
    super('no look-ups in the vehicle registry are left for now');
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Takes one call of the registry. Throws {@link LookupsUsedUp}. */
export type TakeLookup = (accountId: AccountId) => Promise<void>;

export interface LookupLimits extends CallLimits {
  /** Of these, what one account may have. */
  readonly account: CallLimits;
}

/** The account's share first: what it refuses takes nothing from the others. */
export const createTakeLookup =
  (calls: PaidCalls, limits: LookupLimits): TakeLookup =>
  async (accountId) => {
    const ownSeconds = await calls.take(`vehicle-registry:${accountId}`, limits.account);
    if (ownSeconds > 0) throw new LookupsUsedUp('account_used_up', ownSeconds);
    const seconds = await calls.take('vehicle-registry', limits);
    if (seconds > 0) throw new LookupsUsedUp('all_used_up', seconds);
  };
