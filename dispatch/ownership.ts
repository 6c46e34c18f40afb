import { LRUCache } from 'lru-cache';
import type { AccountId } from '../core/ids.ts';
import type { DatabaseClock, StoreConnection } from '../store/database/connection.ts';
import { endLeasesOf } from '../store/deliveries/claim-deliveries.ts';
import { beat, listWorkers, removeWorkers } from '../store/dispatch/workers.ts';

/** A process whose heartbeat is older has ended, or is paused. */
const aliveMs = 3_000;
const answersMax = 50_000;

/**
 * Decides which accounts this process dispatches. Each account belongs to one living process: the one whose id, hashed
 * with the account's, is the highest. So two processes do not work on one account, without a lock or a lease. Where
 * they disagree for a moment, work is done twice, and the compare-and-set of each row accepts one result.
 */
export class Ownership {
  readonly workerId: string;
  readonly #store: StoreConnection;
  readonly #clock: DatabaseClock;
  readonly #onChange: () => void;
  readonly #answers = new LRUCache<AccountId, boolean>({ max: answersMax });
  #alive: readonly string[] = [];
  #beatenAt = Number.NEGATIVE_INFINITY;

  /**
   * @param onChange called when a process has started or ended, or this one was paused: it may own other accounts now
   */
  constructor(parts: { store: StoreConnection; clock: DatabaseClock; workerId: string; onChange: () => void }) {
    this.workerId = parts.workerId;
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#onChange = parts.onChange;
  }

  /**
   * false for all accounts while this process's heartbeat is outdated: after a pause other processes have taken over.
   */
  owns(account: AccountId): boolean {
    if (performance.now() - this.#beatenAt > aliveMs) return false;
    const known = this.#answers.get(account);
    if (known !== undefined) return known;
    const owner = ownerOf(account, this.#alive);
    this.#answers.set(account, owner === this.workerId);
    return owner === this.workerId;
  }

  /**
   * Called once a second: stores this process's heartbeat and reads those of the others. The attempts of processes that
   * ended become due at once.
   */
  async beat(): Promise<void> {
    const askedAt = performance.now();
    const now = await beat(this.#store, this.workerId);
    this.#clock.learn(now, askedAt);
    const workers = await listWorkers(this.#store);
    const isAlive = ({ seenAt }: { seenAt: Date }): boolean => now.getTime() - seenAt.getTime() < aliveMs;
    const alive = workers.filter(isAlive).map(({ _id }) => _id);
    const wasPaused = askedAt - this.#beatenAt > aliveMs;
    this.#beatenAt = askedAt;
    const gone = workers.filter((worker) => !isAlive(worker)).map(({ _id }) => _id);
    if (gone.length > 0) await this.#takeOver(gone);
    const isChanged = alive.toSorted().join() !== this.#alive.join();
    if (isChanged) {
      this.#alive = alive.toSorted();
      this.#answers.clear();
    }
    // During the pause this process turned away every account, so it must look again.
    if (isChanged || wasPaused) this.#onChange();
  }

  /** Called when the process ends: other processes own its accounts at once. */
  async leave(): Promise<void> {
    this.#beatenAt = Number.NEGATIVE_INFINITY;
    await removeWorkers(this.#store, [this.workerId]);
  }

  /** Removes the rows of ended processes once none of their attempts is left. */
  async #takeOver(gone: readonly string[]): Promise<void> {
    const ended = await endLeasesOf(this.#store, gone);
    if (ended === 0) await removeWorkers(this.#store, gone);
    else this.#onChange();
  }
}

/** Rendezvous hashing: when a process comes or goes, only its own accounts move. */
export function ownerOf(account: string, workers: readonly string[]): string | undefined {
  let [owner, highest]: [string | undefined, number] = [undefined, -1];
  for (const worker of workers) {
    const weight = hashOf(`${worker} ${account}`);
    if (weight > highest) [owner, highest] = [worker, weight];
  }
  return owner;
}

/** FNV-1a with a final mixing step, so that similar texts differ in all bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
