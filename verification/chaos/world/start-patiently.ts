import { setTimeout as pause } from 'node:timers/promises';
import type { ManagedProcess } from '../../../embedded/managed-process.ts';

/** Other faults of the plan may kill it while it starts. */
const startsMax = 10;

/** While something else is broken, or the machine has no time, a start may come to nothing; a supervisor would try again, too. */
export async function startPatiently(target: ManagedProcess): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await target.start();
      return;
    } catch (error) {
      if (tries === startsMax) throw error;
      await pause(1_000);
    }
  }
}
