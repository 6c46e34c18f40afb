import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Account } from '../world/account.ts';

/** A partner's administrator: adds an endpoint in the middle, and switches those that may be disabled on and off. */
export async function playOwner(options: { random: Random; account: Account; isOver: () => boolean }): Promise<void> {
  const { random, account, isOver } = options;
  let added = 0;
  while (!isOver()) {
    await pause(random.between(4_000, 10_000));
    try {
      if (added < 1) {
        // With the first answer that gets lost an endpoint is left behind that nobody knows of: its receiver takes whatever comes.
        added += 1;
        await account.addEndpoint(`${account.name}-late-${added}`, 'steady');
        continue;
      }
      const { id } = random.pick(account.endpoints.filter(({ isReachable }) => isReachable));
      await account.manage('PATCH', `/integration/webhooks/${id}`, { active: random.chance(0.6) });
    } catch {
      // No answer: the next decision comes anyway, and at the end all are enabled.
    }
  }
}
