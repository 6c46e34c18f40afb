import { Refusal } from '../../core/errors.ts';
import type { AccountId, SessionId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { ChangeFeed } from './change-feed.ts';
import { ChangeStream, type ChangeMessage, type StreamTimes, type StreamWish } from './change-stream.ts';

export interface OpenStreamsParts {
  readonly store: StoreConnection;
  readonly confirmCredential: (scope: Scope) => Promise<void>;
  readonly now: () => Date;
  readonly times?: Partial<StreamTimes>;
  readonly bounds?: Partial<typeof bounds>;
  /** Called with the number of open streams. */
  readonly onCount?: (count: number) => void;
}

/** A session has one stream for each visible tab. */
const bounds = { perSessionMax: 6, perAccountMax: 60, perProcessMax: 5_000 };
const defaultTimes: StreamTimes = { beatMs: 25_000, betweenMs: 200, betweenOfMembersMs: 1_000 };
const tryAgainSeconds = 30;

interface Held {
  readonly accountId: AccountId;
  readonly sessionId: SessionId;
}

/** The open streams of this process, within the limits above. */
export class OpenStreams {
  readonly #parts: OpenStreamsParts;
  readonly #feed: ChangeFeed;
  readonly #bounds: typeof bounds;
  /** Oldest first. */
  readonly #held = new Map<ChangeStream, Held>();
  readonly #perAccount = new Map<AccountId, number>();
  #isStopping = false;

  constructor(parts: OpenStreamsParts) {
    this.#parts = parts;
    this.#feed = new ChangeFeed(parts.store);
    this.#bounds = { ...bounds, ...parts.bounds };
  }

  /**
   * A stream for a session, held from its first message to its end. One more than a session may have ends its oldest
   * stream, whose client has most likely gone. Throws Refusal RATE_LIMITED and UNAVAILABLE.
   */
  open(wish: StreamWish & { readonly sessionId: SessionId }): AsyncIterable<ChangeMessage> {
    const held = { accountId: wish.scope.actingAccountId, sessionId: wish.sessionId };
    this.#requireRoom(held.accountId);
    const { store, confirmCredential, now, times } = this.#parts;
    const stream = new ChangeStream(wish, {
      ...{ store, feed: this.#feed, confirmCredential, now },
      times: { ...defaultTimes, ...times },
      onEnd: (ended) => this.#drop(ended),
    });
    return {
      [Symbol.asyncIterator]: () => {
        this.#hold(stream, held);
        return stream;
      },
    };
  }

  /** Ends all streams with a reason, so that their clients go to another process. Later streams end at once. */
  endAll(): void {
    this.#isStopping = true;
    for (const stream of this.#held.keys()) stream.end('stopping');
  }

  async close(): Promise<void> {
    this.endAll();
    await this.#feed.close();
  }

  #requireRoom(accountId: AccountId): void {
    const { perAccountMax, perProcessMax } = this.#bounds;
    const retry = { retryAfterSeconds: tryAgainSeconds };
    if ((this.#perAccount.get(accountId) ?? 0) >= perAccountMax)
      throw new Refusal('RATE_LIMITED', `An account may have ${perAccountMax} streams of changes at once`, retry);
    if (this.#held.size >= perProcessMax)
      throw new Refusal('UNAVAILABLE', 'This process holds as many streams as it can: ask for changes instead', retry);
  }

  #hold(stream: ChangeStream, held: Held): void {
    const ofSession = [...this.#held].filter(([, { sessionId }]) => sessionId === held.sessionId);
    if (ofSession.length >= this.#bounds.perSessionMax) ofSession[0]?.[0].end('replaced');
    this.#held.set(stream, held);
    this.#perAccount.set(held.accountId, (this.#perAccount.get(held.accountId) ?? 0) + 1);
    if (this.#isStopping) stream.end('stopping');
    this.#parts.onCount?.(this.#held.size);
  }

  #drop(stream: ChangeStream): void {
    const held = this.#held.get(stream);
    if (held === undefined) return;
    this.#held.delete(stream);
    const left = (this.#perAccount.get(held.accountId) ?? 1) - 1;
    if (left === 0) this.#perAccount.delete(held.accountId);
    else this.#perAccount.set(held.accountId, left);
    this.#parts.onCount?.(this.#held.size);
  }
}
