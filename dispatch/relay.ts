import { setTimeout as pause } from 'node:timers/promises';
import type { AccountId } from '../core/ids.ts';
import type { StoreConnection } from '../store/database/connection.ts';
import {
  claimBacklog,
  claimOwed,
  countBulkAtWork,
  findBacklog,
  findOwed,
  listBacklogAccounts,
} from '../store/items/owed-items.ts';
import type { WorkflowStarts } from './start-workflows.ts';

export interface RelayDependencies {
  readonly store: StoreConnection;
  readonly starts: Pick<WorkflowStarts, 'startAll' | 'itemSoon'>;
  readonly now: () => Date;
}

/** Items that one round starts. */
const rowsMax = 200;
/** Items of bulk work that are with a workflow at once, for all processes together. So the engine has room for others. */
const bulkItemsMax = 32;
/** Pause before the next look while bulk work waits for others to end. */
const fullMs = 250;

/**
 * Starts what was not started: its process has died, or the engine was away. Each worker runs it every two seconds; a row is started
 * by the one that gives it its next date. Returns whether more may be waiting.
 */
export class Relay {
  readonly #dependencies: RelayDependencies;
  /** When each account's bulk work was started last; the one that was served longest ago is next. */
  readonly #servedAt = new Map<AccountId, number>();

  constructor(dependencies: RelayDependencies) {
    this.#dependencies = dependencies;
  }

  async round(): Promise<boolean> {
    const { store, starts, now } = this.#dependencies;
    const owed = await findOwed(store, { now: now(), limit: rowsMax });
    await starts.startAll(await claimOwed(store, owed, now()));
    return (await this.#startBacklog()) || owed.length === rowsMax;
  }

  /** Bulk work: accounts take turns, and only so many items are with a workflow. */
  async #startBacklog(): Promise<boolean> {
    const { store, starts, now } = this.#dependencies;
    const accounts = await listBacklogAccounts(store);
    for (const account of this.#servedAt.keys()) if (!accounts.includes(account)) this.#servedAt.delete(account);
    if (accounts.length === 0) return false;
    let room = bulkItemsMax - (await countBulkAtWork(store, bulkItemsMax));
    const share = Math.max(1, Math.floor(room / accounts.length));
    const inTurn: readonly AccountId[] = accounts.toSorted((one, other) => this.#servedOf(one) - this.#servedOf(other));
    for (const account of inTurn) {
      if (room <= 0) break;
      const rows = await findBacklog(store, account, { limit: Math.min(share, room) });
      const claimed = await claimBacklog(store, rows, now());
      for (const row of claimed) starts.itemSoon(row, { isBacklog: true });
      room -= claimed.length;
      this.#servedAt.set(account, performance.now());
    }
    await pause(fullMs);
    return true;
  }

  readonly #servedOf = (account: AccountId): number => this.#servedAt.get(account) ?? 0;
}
