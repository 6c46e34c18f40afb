import { setTimeout as pause } from 'node:timers/promises';
import type { Account } from './world/account.ts';
import type { World } from './world/world.ts';

export interface RestOptions {
  readonly world: World;
  readonly accounts: readonly Account[];
  /** So long nothing may change while something is owed. */
  readonly patienceMs: number;
  readonly longestMs: number;
  readonly log: (line: string) => void;
}

const looksMs = 1_000;
const quietLooksMin = 3;
const logEveryMs = 15_000;

/**
 * Enables what may be enabled and waits until nothing is owed any more. Gives how long that took; null when nothing moved any
 * more, or the time was over, although something was owed: then the checker says what is left.
 */
export async function untilAtRest({
  world,
  accounts,
  patienceMs,
  longestMs,
  log,
}: RestOptions): Promise<number | null> {
  const startedAt = Date.now();
  await enableAll(accounts, startedAt + patienceMs);
  let [before, changedAt, saidAt] = ['', Date.now(), 0];
  for (let quietLooks = 0; quietLooks < quietLooksMin;) {
    await pause(looksMs);
    const owed = await readOwed(world, accounts).catch((error: unknown) => `no answer: ${String(error)}`);
    quietLooks = owed === '' ? quietLooks + 1 : 0;
    const now = Date.now();
    if (owed !== before) changedAt = now;
    before = owed;
    if (owed !== '' && (now - changedAt > patienceMs || now - startedAt > longestMs)) {
      log(`it did not come to rest: ${owed}`);
      return null;
    }
    if (owed !== '' && now - saidAt > logEveryMs) {
      log(`still owed: ${owed}`);
      saidAt = now;
    }
  }
  return Date.now() - startedAt;
}

/** So that recoveries bring what was held back. */
async function enableAll(accounts: readonly Account[], deadline: number): Promise<void> {
  for (const account of accounts)
    for (const { id } of account.endpoints.filter(({ isReachable }) => isReachable))
      await untilDone(() => account.manage('PATCH', `/integration/webhooks/${id}`, { active: true }), deadline);
}

async function untilDone(work: () => Promise<unknown>, deadline: number): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await pause(500);
    }
  }
}

/** In words; '' when nothing is. */
async function readOwed({ foundation }: World, accounts: readonly Account[]): Promise<string> {
  const count = (collection: string, filter: object): Promise<number> =>
    foundation.store.connection.collection(collection).countDocuments(filter);
  const unreachable = accounts
    .flatMap(({ endpoints }) => endpoints.filter(({ isReachable }) => !isReachable))
    .map(({ id }) => id);
  // What is due within a minute moves by itself still: what it waits for is over, perhaps.
  const waitsOutside = {
    'processing.waitingFor': { $in: ['auction_end', 'previous_listing'] },
    startAt: { $gt: new Date(Date.now() + 60_000) },
  };
  const owed = {
    items: await count('items', {
      $expr: { $ne: ['$revision', '$settledRevision'] },
      $nor: [waitsOutside],
    }),
    deliveries: await count('deliveries', { state: 'pending' }),
    missed: await count('deliveries', { missed: true, endpointId: { $nin: unreachable } }),
    'receivers in trouble': await count('webhook_endpoints', {
      troubleSince: { $type: 'date' },
      _id: { $nin: unreachable },
    }),
    'bulk syncs': await count('bulk_syncs', { state: { $in: ['running', 'cancelling'] } }),
    workflows:
      (await foundation.client.workflow.count(`ExecutionStatus = 'Running'`)).count -
      (await count('items', { $expr: { $ne: ['$revision', '$settledRevision'] } })) -
      (await count('webhook_endpoints', { startAt: { $type: 'date' }, _id: { $in: unreachable } })),
  };
  return Object.entries(owed)
    .filter(([, number]) => number > 0)
    .map(([name, number]) => `${number} ${name}`)
    .join(', ');
}
