import { setTimeout as pause } from 'node:timers/promises';
import type { Change } from '../../core/changes/change-set.ts';
import type { AccountId } from '../../core/ids.ts';
import { hearChanges, type HeardChanges } from '../../store/changes/changes.ts';
import type { StoreConnection } from '../../store/database/connection.ts';

/** Of one stream. */
export interface Listener {
  readonly accounts: ReadonlySet<AccountId>;
  /** Changes of its accounts. */
  readonly take: (changes: readonly Change[]) => void;
  /** What was missed is not known: anything may have changed. */
  readonly lose: () => void;
}

interface Told {
  readonly id: string;
  readonly changes: readonly Change[];
}

/** So many of the last notices are kept, for streams that come back. */
const keptMax = 4_000;
/** A stream begins although the database does not answer; it learns later that it may have missed something. */
const openMaxMs = 2_000;

const recentMs = 10_000;
/** An id begins with the seconds of its sender's clock. */
const sentAt = (id: string): number => Number.parseInt(id.slice(0, 8), 16) * 1_000;

/** The one reader of this process: hears the changes of all accounts, and gives each stream those of its own. */
export class ChangeFeed {
  readonly #store: StoreConnection;
  readonly #closing = new AbortController();
  readonly #listeners = new Map<AccountId, Set<Listener>>();
  #told: Told[] = [];
  readonly #known = new Set<string>();
  /** The newest notice; a reader that begins anew reads past it, unless it is gone. */
  #expected: string | undefined;
  #hearing: Promise<void> | undefined;
  #opened: Promise<void> | undefined;

  constructor(store: StoreConnection) {
    this.#store = store;
  }

  /** Id of the newest notice; '' before the first. */
  get newest(): string {
    return this.#told.at(-1)?.id ?? '';
  }

  /** Begins to hear with the first stream of the process. Resolves when it does, or after two seconds. */
  async open(): Promise<void> {
    this.#opened ??= new Promise((resolve) => {
      const onOpen = (): void => {
        this.#noticeGap();
        resolve();
      };
      const onRow = (row: HeardChanges): void => this.#hear(row);
      this.#hearing = hearChanges(this.#store, { onRow, onOpen, signal: this.#closing.signal });
    });
    const timer = new AbortController();
    await Promise.race([this.#opened, pause(openMaxMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
    timer.abort();
  }

  /** Returns how to stop. */
  listen(listener: Listener): () => void {
    for (const account of listener.accounts) {
      const known = this.#listeners.get(account);
      if (known === undefined) this.#listeners.set(account, new Set([listener]));
      else known.add(listener);
    }
    return () => {
      for (const account of listener.accounts) {
        const known = this.#listeners.get(account);
        known?.delete(listener);
        if (known?.size === 0) this.#listeners.delete(account);
      }
    };
  }

  /** The changes of the accounts after a notice; null when that one is not known any more. */
  since(id: string, accounts: ReadonlySet<AccountId>): Change[] | null {
    if (!this.#known.has(id)) return null;
    return this.#after(
      this.#told.findLastIndex((told) => told.id === id),
      accounts,
    );
  }

  /** Those of the last moments: a page may have been read before its stream began. */
  recent(now: Date, accounts: ReadonlySet<AccountId>): Change[] {
    const from = now.getTime() - recentMs;
    return this.#after(
      this.#told.findLastIndex(({ id }) => sentAt(id) < from),
      accounts,
    );
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#hearing;
  }

  #after(index: number, accounts: ReadonlySet<AccountId>): Change[] {
    return this.#told.slice(index + 1).flatMap(({ changes }) => changes.filter((one) => accounts.has(one.accountId)));
  }

  #hear({ id, entries, isNew }: HeardChanges): void {
    if (isNew) this.#expected = id;
    else if (id === this.#expected) this.#expected = undefined;
    // After a change of the primary all rows come again.
    if (this.#known.has(id)) return;
    this.#known.add(id);
    this.#told.push({ id, changes: entries });
    if (this.#told.length > keptMax * 2) this.#forgetOld();
    this.#tell(entries);
  }

  #forgetOld(): void {
    for (const { id } of this.#told.splice(0, keptMax)) this.#known.delete(id);
  }

  #tell(changes: readonly Change[]): void {
    const perListener = new Map<Listener, Change[]>();
    for (const change of changes)
      for (const listener of this.#listeners.get(change.accountId) ?? []) {
        const known = perListener.get(listener);
        if (known === undefined) perListener.set(listener, [change]);
        else known.push(change);
      }
    for (const [listener, own] of perListener) listener.take(own);
  }

  /** What was told while the reader was not there has come by now, unless the last known notice is gone. */
  #noticeGap(): void {
    if (this.#expected !== undefined)
      for (const listener of new Set([...this.#listeners.values()].flatMap((own) => [...own]))) listener.lose();
    this.#expected = this.#told.at(-1)?.id;
  }
}
