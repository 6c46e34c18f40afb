import { setTimeout as delay } from 'node:timers/promises';

export interface Rounds {
  readonly rounds: number;
  /** Replaces the real wait between two rounds. */
  readonly pause?: ((ms: number) => Promise<unknown>) | undefined;
}

/**
 * Repeats `attempt`, a read and a compare-and-set, while it returns null: another writer was faster. Returns null when all rounds
 * are lost. A majority read is a few milliseconds behind the newest write, so an immediate repeat would return the same version.
 */
export async function untilWon<Result>(
  attempt: () => Promise<Result | null>,
  { rounds, pause = delay }: Rounds,
): Promise<Result | null> {
  for (let round = 0; round < rounds; round += 1) {
    const won = await attempt();
    if (won !== null) return won;
    await pause(Math.min(2 + round * 2, 50));
  }
  return null;
}
