import { setTimeout as pause } from 'node:timers/promises';
import type { Change } from './rules/change-set.ts';
import type { AccountId } from '../rules/ids.ts';
import { hearChanges, type HeardChanges } from './store/changes.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';

/** The receiver of one stream. */
export interface Listener {
  readonly accounts: ReadonlySet<AccountId>;
  /** Gets the changes of its accounts. */
  readonly take: (changes: readonly Change[]) => void;
  /** Called when changes may have been missed, so that anything may have changed. */
  readonly lose: () => void;
}

interface Told {
  readonly id: string;
  readonly changes: readonly Change[];
}

/** Newest messages that are kept, for streams that reconnect. */
const keptMax = 4_000;
/** Without an answer of the database a stream begins all the same; later it is told that it may have missed changes. */
const openMaxMs = 2_000;

const recentMs = 10_000;
/** The first 8 digits of an id are the seconds of its sender's clock. */
const sentAt = (id: string): number => Number.parseInt(id.slice(0, 8), 16) * 1_000;

/**
 * The only reader of this process: it receives the changes of all accounts, and gives each stream those of its own
 * accounts.
 */
export class ChangeFeed {
  readonly #store: StoreConnection;
  readonly #closing = new AbortController();
  readonly #listeners = new Map<AccountId, Set<Listener>>();
  #told: Told[] = [];
  readonly #known = new Set<string>();
  /** The newest message. A restarted reader must receive it again, unless it was removed. */
  #expected: string | undefined;
  #hearing: Promise<void> | undefined;
  #opened: Promise<void> | undefined;

  constructor(store: StoreConnection) {
    this.#store = store;
  }

  /** Id of the newest message; '' before the first. */
  get newest(): string {
    return this.#told.at(-1)?.id ?? '';
  }

  /** Starts the reader with the first stream of the process. Resolves when the reader runs, or after two seconds. */
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

  /** Returns a function that stops the listener. */
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

  /** The changes of the accounts after a message; null when that message is no longer kept. */
  since(id: string, accounts: ReadonlySet<AccountId>): Change[] | null {
    if (!this.#known.has(id)) return null;
    return this.#after(
      this.#told.findLastIndex((told) => told.id === id),
      accounts,
    );
  }

  /** The changes of the last moments, because a page may have been read before its stream began. */
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
    // After a change of the primary all rows are received again.
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

  /** Messages sent while the reader was stopped have arrived by now, unless the last known message was removed. */
  #noticeGap(): void {
    if (this.#expected !== undefined)
      for (const listener of new Set([...this.#listeners.values()].flatMap((own) => [...own]))) listener.lose();
    this.#expected = this.#told.at(-1)?.id;
  }
}
