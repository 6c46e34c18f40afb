import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  /** What is being waited for, as a person would say it. */
  readonly what: string;
  /** Milliseconds since the epoch. */
  readonly deadlineAt: number;
  readonly everyMs?: number;
}

/** The demo ran out of time; the message says what was missing. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/** Looks again and again until `missing` returns an empty list. Throws {@link OutOfTime} with the last list. */
export async function waitUntil(
  missing: () => Promise<readonly string[]>,
  { what, deadlineAt, everyMs = 500 }: WaitOptions,
): Promise<void> {
  for (;;) {
    const left = await missing();
    if (left.length === 0) return;
    if (Date.now() >= deadlineAt)
      throw new OutOfTime(`out of time while waiting for ${what}; ${left.length} missing: ${shortened(left)}`);
    await delay(everyMs);
  }
}

export function shortened(names: readonly string[], shownMax = 8): string {
  const rest = names.length - shownMax;
  return names.slice(0, shownMax).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
