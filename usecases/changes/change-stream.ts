import { ChangeSet, type Change } from '../../core/changes/change-set.ts';
import { Refusal } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import type { ChangeFeed } from './change-feed.ts';

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
}

export interface StreamWish {
  readonly scope: Scope;
  readonly tokenExpiresAt: Date;
  /** The end that the client asked for. */
  readonly endsAt: Date;
  /** The position at which an earlier stream ended. */
  readonly lastId: string | undefined;
}

interface StreamParts {
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
  #isBegun = false;
  #isOver = false;
  #end: StreamEnd | undefined;
  #stopListening = (): void => undefined;
  #wake = (): void => undefined;
  #toldAt = -Infinity;
  #beatAt = 0;

  constructor(wish: StreamWish, parts: StreamParts) {
    this.#wish = wish;
    this.#parts = parts;
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
    const { scope, lastId } = this.#wish;
    await feed.open();
    const accounts: ReadonlySet<AccountId> = new Set([scope.accountId, scope.actingAccountId]);
    this.#stopListening = feed.listen({
      accounts,
      take: (changes) => {
        for (const change of changes) this.#pending.add(change);
        this.#wake();
      },
      lose: () => {
        this.#isLost = true;
        this.#wake();
      },
    });
    const missed = lastId === undefined ? feed.recent(now(), accounts) : feed.since(lastId, accounts);
    if (missed === null) this.#isLost = true;
    for (const change of missed ?? []) this.#pending.add(change);
    this.#beatAt = performance.now() + times.beatMs;
    return { event: 'ready', id: feed.newest };
  }

  /** The next message that is due, if any. */
  async #message(): Promise<ChangeMessage | undefined> {
    const { feed, now, times } = this.#parts;
    this.#endInTime(now());
    const at = performance.now();
    const isLast = this.#wish.endsAt <= now();
    const isDue = this.#hasNews() && (isLast || at >= this.#toldAt + times.betweenMs);
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
    return this.#news(feed.newest);
  }

  /** Pending changes are sent first, then the stream ends. */
  #endInTime(now: Date): void {
    if (this.#wish.tokenExpiresAt <= now) this.end('token_expired');
    else if (this.#wish.endsAt <= now && !this.#hasNews()) this.end('time_over');
  }

  #hasNews(): boolean {
    return this.#isLost || this.#pending.size > 0;
  }

  #news(id: string): ChangeMessage {
    const changes = this.#pending.take(pendingMax);
    const isLost = this.#isLost || this.#pending.size > 0;
    this.#isLost = false;
    this.#pending.clear();
    return isLost ? { event: 'reset', id } : { event: 'changed', id, changes };
  }

  async #confirm(): Promise<void> {
    try {
      await this.#parts.confirmCredential(this.#wish.scope);
    } catch (error) {
      this.end(error instanceof Refusal ? 'signed_out' : 'unavailable');
    }
  }

  async #sleep(): Promise<void> {
    if (this.#end !== undefined || this.#isOver) return;
    const { now, times } = this.#parts;
    const at = performance.now();
    const tellInMs = this.#hasNews() ? this.#toldAt + times.betweenMs - at : Infinity;
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
