import { ChangeSet, type Change } from './rules/change-set.ts';
import { Refusal } from '../rules/errors.ts';
import type { AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import type { ChangeFeed } from './change-feed.ts';
import { findHeardAccounts, pickTold } from './heard-accounts.ts';

/** Why a stream ends. Its client opens another one, with a new token if the old one has expired. */
export type StreamEnd = 'token_expired' | 'time_over' | 'signed_out' | 'replaced' | 'stopping' | 'unavailable';

/** `id`: the newest message that the stream has passed, from which a new stream continues. */
export type ChangeMessage =
  | { readonly event: 'ready' | 'reset' | 'beat'; readonly id: string }
  | { readonly event: 'changed'; readonly id: string; readonly changes: readonly Change[] }
  | { readonly event: 'end'; readonly reason: StreamEnd };

export interface StreamTimes {
  /** How often an idle stream sends a sign of life and checks its session. */
  readonly beatMs: number;
  /** Changes within this time are sent together. */
  readonly betweenMs: number;
  /** The same for a stream of all members, whose pages cost a query for each 200 members. */
  readonly betweenOfMembersMs: number;
}

export interface StreamWish {
  readonly scope: Scope;
  /** The stream hears of all members of the account, not only of the one that the scope acts for. */
  readonly isOfAllMembers: boolean;
  readonly tokenExpiresAt: Date;
  /** The end that the client asked for. */
  readonly endsAt: Date;
  /** The position at which an earlier stream ended. */
  readonly lastId: string | undefined;
}

interface StreamParts {
  readonly store: StoreConnection;
  readonly feed: ChangeFeed;
  readonly confirmCredential: (scope: Scope) => Promise<void>;
  readonly now: () => Date;
  readonly times: StreamTimes;
  readonly onEnd: (stream: ChangeStream) => void;
}

/** A client that is this far behind must read everything again. */
const pendingMax = 200;

/**
 * The changes of one session's accounts, for one client. It holds what is not sent yet, one change for each kind, so
 * that a slow client costs no more than a quick one. The session is checked again before anything is sent.
 */
export class ChangeStream implements AsyncIterableIterator<ChangeMessage> {
  readonly #parts: StreamParts;
  readonly #wish: StreamWish;
  readonly #pending = new ChangeSet();
  #isLost = false;
  /** The members may have changed since they were read. */
  #isOutdated = false;
  #isBegun = false;
  #isOver = false;
  #end: StreamEnd | undefined;
  readonly #betweenMs: number;
  #stopListening = (): void => undefined;
  #wake = (): void => undefined;
  #toldAt = -Infinity;
  #beatAt = 0;

  constructor(wish: StreamWish, parts: StreamParts) {
    this.#wish = wish;
    this.#parts = parts;
    const { betweenMs, betweenOfMembersMs } = parts.times;
    this.#betweenMs = wish.isOfAllMembers ? betweenOfMembersMs : betweenMs;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ChangeMessage, undefined>> {
    if (!this.#isBegun) return { value: await this.#begin(), done: false };
    while (!this.#isOver) {
      const message = await this.#message();
      if (message !== undefined) return { value: message, done: false };
      await this.#sleep();
    }
    return { value: undefined, done: true };
  }

  /** Called when the client has disconnected. */
  return(): Promise<IteratorResult<ChangeMessage, undefined>> {
    this.#close();
    return Promise.resolve({ value: undefined, done: true });
  }

  /** Sends the reason and ends the stream. */
  end(reason: StreamEnd): void {
    this.#end ??= reason;
    this.#wake();
  }

  async #begin(): Promise<ChangeMessage> {
    this.#isBegun = true;
    const { feed, times, now } = this.#parts;
    const { lastId } = this.#wish;
    await feed.open();
    const accounts = await this.#orEnd(() => this.#listen());
    if (accounts !== undefined) {
      const missed = lastId === undefined ? feed.recent(now(), accounts) : feed.since(lastId, accounts);
      if (missed === null) this.#isLost = true;
      this.#take(missed ?? []);
    }
    this.#beatAt = performance.now() + times.beatMs;
    return { event: 'ready', id: feed.newest };
  }

  /** Listens to the accounts that there are now. */
  async #listen(): Promise<ReadonlySet<AccountId>> {
    const { feed, store } = this.#parts;
    this.#isOutdated = false;
    const accounts = await findHeardAccounts(store, this.#wish.scope, this.#wish);
    this.#stopListening();
    if (this.#isOver) return accounts;
    this.#stopListening = feed.listen({
      accounts,
      take: (changes) => {
        this.#take(changes);
        this.#wake();
      },
      lose: () => {
        this.#isLost = true;
        this.#isOutdated = true;
        this.#wake();
      },
    });
    return accounts;
  }

  #take(changes: readonly Change[]): void {
    for (const change of changes) {
      this.#pending.add(change);
      if (change.kind === 'members') this.#isOutdated = true;
    }
    if (this.#pending.size <= pendingMax) return;
    this.#pending.clear();
    this.#isLost = true;
  }

  /** The next message that is due, if any. */
  async #message(): Promise<ChangeMessage | undefined> {
    const { feed, now, times } = this.#parts;
    this.#endInTime(now());
    const at = performance.now();
    const isLast = this.#wish.endsAt <= now();
    const isDue = this.#hasNews() && (isLast || at >= this.#toldAt + this.#betweenMs);
    if (this.#end === undefined && !isDue && at < this.#beatAt) return undefined;
    if (this.#end === undefined) await this.#confirm();
    if (this.#isOver) return undefined;
    if (this.#end !== undefined) {
      this.#close();
      return { event: 'end', reason: this.#end };
    }
    this.#beatAt = at + times.beatMs;
    if (!this.#hasNews()) return { event: 'beat', id: feed.newest };
    this.#toldAt = at;
    return this.#news();
  }

  /** Pending changes are sent first, then the stream ends. */
  #endInTime(now: Date): void {
    if (this.#wish.tokenExpiresAt <= now) this.end('token_expired');
    else if (this.#wish.endsAt <= now && !this.#hasNews()) this.end('time_over');
  }

  #hasNews(): boolean {
    return this.#isLost || this.#pending.size > 0;
  }

  /** undefined when the session may be told none of the changes. */
  async #news(): Promise<ChangeMessage | undefined> {
    const { newest: id } = this.#parts.feed;
    const changes = this.#pending.take(pendingMax);
    const isLost = this.#isLost;
    this.#isLost = false;
    if (isLost) return { event: 'reset', id };
    const told = (await this.#orEnd(() => pickTold(this.#parts.store, this.#wish.scope, changes))) ?? [];
    return told.length === 0 || this.#isOver ? undefined : { event: 'changed', id, changes: told };
  }

  async #confirm(): Promise<void> {
    await this.#orEnd(async () => {
      await this.#parts.confirmCredential(this.#wish.scope);
      if (this.#isOutdated && this.#wish.isOfAllMembers) await this.#listen();
    });
  }

  /** A read that fails ends the stream. */
  async #orEnd<Read>(read: () => Promise<Read>): Promise<Read | undefined> {
    try {
      return await read();
    } catch (error) {
      this.end(error instanceof Refusal ? 'signed_out' : 'unavailable');
      return undefined;
    }
  }

  async #sleep(): Promise<void> {
    if (this.#end !== undefined || this.#isOver) return;
    const { now } = this.#parts;
    const at = performance.now();
    const tellInMs = this.#hasNews() ? this.#toldAt + this.#betweenMs - at : Infinity;
    const { tokenExpiresAt, endsAt } = this.#wish;
    const endInMs = Math.min(tokenExpiresAt.getTime(), endsAt.getTime()) - now().getTime();
    const ms = Math.max(0, Math.min(tellInMs, this.#beatAt - at, endInMs));
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.ceil(ms)).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = () => undefined;
  }

  #close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopListening();
    this.#parts.onEnd(this);
    this.#wake();
  }
}
