import { completed } from '../../../features/items/rules/complete-write.ts';
import { isUp, type Item } from '../../../features/items/rules/item.ts';
import { requireLegalTransition } from '../../../features/items/rules/transitions.ts';
import type { ItemStore } from '../../../features/items/store/items.ts';
import { emptied } from '../../../test/support/an-item.ts';

/** Mistakes made on purpose, to see that the model notices them. */
export interface Sabotage {
  /** What is stored instead of the next version. */
  readonly write?: (previous: Item, next: Item) => Item;
  readonly forgetsPredecessors?: boolean;
}

/** Called for every write that takes effect, with all that it brings; `previous` is null for a new item. */
export type OnWrite = (previous: Item | null, next: Item) => void;

/** The item store in memory, with the same compare-and-set on `version` as the real one. */
export class FakeItems implements ItemStore {
  readonly all: Item[] = [];
  readonly #onWrite: OnWrite;
  readonly #sabotage: Sabotage;
  /** Writes that came too late. */
  conflicts = 0;

  constructor(onWrite: OnWrite, sabotage: Sabotage) {
    this.#onWrite = onWrite;
    this.#sabotage = sabotage;
  }

  byId(id: string): Item {
    const found = this.all.find((item) => item.id === id);
    if (found === undefined) throw new Error(`no item ${id}`);
    return found;
  }

  visible(externalId: string): Item | null {
    const items = this.all.filter((item) => item.externalId === externalId);
    const archived = items.filter(({ current, removedAt }) => !current && removedAt === null);
    return items.find(({ current }) => current) ?? archived.at(-1) ?? null;
  }

  findCurrent(_account: string, externalId: string): Promise<Item | null> {
    return Promise.resolve(this.all.find((item) => item.externalId === externalId && item.current) ?? null);
  }

  findVisible(_account: string, externalId: string): Promise<Item | null> {
    return Promise.resolve(this.visible(externalId));
  }

  findPredecessor(_account: string, externalId: string): Promise<{ readonly sequence: number } | null> {
    const former = this.all.filter((item) => item.externalId === externalId && !item.current);
    return Promise.resolve(former.toSorted((a, b) => b.sequence - a.sequence)[0] ?? null);
  }

  hasPredecessorUp(_account: string, externalId: string): Promise<boolean> {
    const former = this.all.filter((item) => item.externalId === externalId && !item.current);
    const isAnyUp = former.some(({ listings }) => listings.some(isUp));
    return Promise.resolve(isAnyUp && this.#sabotage.forgetsPredecessors !== true);
  }

  findById({ id }: Pick<Item, 'id'>): Promise<Item | null> {
    return Promise.resolve(this.all.find((item) => item.id === id) ?? null);
  }

  isStill({ id, version }: Item): Promise<boolean> {
    return Promise.resolve(this.byId(id).version === version);
  }

  insert(item: Item): Promise<Item | null> {
    if (this.all.some((other) => other.current && other.externalId === item.externalId)) return Promise.resolve(null);
    const whole = completed(null, item);
    const stored = emptied(whole);
    this.all.push(stored);
    this.#onWrite(null, whole);
    return Promise.resolve(stored);
  }

  async replace(previous: Item, next: Item): Promise<Item | null> {
    const index = this.all.findIndex(({ id }) => id === previous.id);
    const present = this.all[index];
    if (present?.version !== previous.version) {
      this.conflicts += 1;
      return null;
    }
    const whole = completed(previous, next);
    const kept = this.#sabotage.write?.(previous, whole) ?? whole;
    requireLegalTransition(previous, kept);
    const stored: Item = { ...emptied(kept), version: previous.version + 1 };
    this.all[index] = stored;
    this.#onWrite(previous, kept);
    return stored;
  }

  makeWaitingDue(_account: string, { reasons, now }: { reasons: readonly string[]; now: Date }): Promise<number> {
    const due = this.all.filter(
      ({ processing, revision, settledRevision }) =>
        reasons.includes(processing.waitingFor ?? '') && revision !== settledRevision,
    );
    for (const item of due) {
      const processing = { ...item.processing, notBefore: now };
      const woken: Item = { ...item, version: item.version + 1, processing, startAt: now };
      this.all[this.all.indexOf(item)] = woken;
      this.#onWrite(item, woken);
    }
    return Promise.resolve(due.length);
  }

  async makeSuccessorDue(
    account: string,
    _externalId: string,
    { waitingFor, now }: { waitingFor: string; now: Date },
  ): Promise<void> {
    await this.makeWaitingDue(account, { reasons: [waitingFor], now });
  }

  findByAdIds(): Promise<Item[]> {
    return Promise.reject(new Error('not in this test'));
  }

  findByIds(): Promise<Item[]> {
    return Promise.reject(new Error('not in this test'));
  }

  listWatched(): Promise<Item[]> {
    return Promise.reject(new Error('not in this test'));
  }

  hasWatchedListings(): Promise<boolean> {
    return Promise.reject(new Error('not in this test'));
  }

  findReferencedImages(): Promise<ReadonlySet<string>> {
    return Promise.reject(new Error('not in this test'));
  }
}
