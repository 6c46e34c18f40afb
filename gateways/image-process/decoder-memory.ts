import { FairSlots } from '../../platform/concurrency/fair-slots.ts';
import { RecentUse } from '../../platform/concurrency/recent-use.ts';

/**
 * Megabytes that decoding may take at once. The largest image of one account leaves room for usual images of others. A
 * usual image, up to 15 million pixels of JPEG, is decoded without first reading its size.
 */
export const megabytes = { max: 430, perAccountMax: 355, usual: 75 };

/** Of the two last such periods the decoder's time is summed by account. */
const useMs = 60_000;

/** The memory of a worker for decoding. The account whose images took the least of the decoder's time comes first. */
export class DecoderMemory {
  readonly #ms = new RecentUse(useMs);
  readonly #slots = new FairSlots({ ...megabytes, usedBy: (account) => this.usedMs(account) });

  /** What the decoder has worked for the account lately. */
  usedMs(account: string): number {
    return this.#ms.of(account);
  }

  /** Resolves with what gives the megabytes back, and is told how many ms the decoder took. Rejects with the reason of `signal`. */
  async acquire(
    { account, size }: { readonly account: string; readonly size: number },
    signal: AbortSignal,
  ): Promise<(ms: number) => void> {
    const release = await this.#slots.acquire({ account, size }, signal);
    return (ms) => {
      this.#ms.add(account, ms);
      release();
    };
  }
}
