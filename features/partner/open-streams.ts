import type { SessionId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { ChangeFeed } from './change-feed.ts';
import { ChangeStream, type ChangeMessage, type StreamTimes, type StreamWish } from './change-stream.ts';

export interface OpenStreamsParts {
  readonly store: StoreConnection;
  readonly confirmCredential: (scope: Scope) => Promise<void>;
  readonly now: () => Date;
  readonly times?: Partial<StreamTimes>;
  /** Called with the number of open streams. */
  readonly onCount?: (count: number) => void;
}

/** A session has one stream for each visible tab. */
const perSessionMax = 6;
const defaultTimes: StreamTimes = { beatMs: 25_000, betweenMs: 200, betweenOfMembersMs: 1_000 };

/** The open streams of this process. */
export class OpenStreams {
  readonly #parts: OpenStreamsParts;
  readonly #feed: ChangeFeed;
  /** Oldest first. */
  readonly #held = new Map<ChangeStream, SessionId>();
  #isStopping = false;

  constructor(parts: OpenStreamsParts) {
    this.#parts = parts;
    this.#feed = new ChangeFeed(parts.store);
  }

  /**
   * A stream for a session, held from its first message to its end. One more than a session may have ends its oldest
   * stream, whose client has most likely gone.
   */
  open(wish: StreamWish & { readonly sessionId: SessionId }): AsyncIterable<ChangeMessage> {
    const { store, confirmCredential, now, times } = this.#parts;
    const stream = new ChangeStream(wish, {
      ...{ store, feed: this.#feed, confirmCredential, now },
      times: { ...defaultTimes, ...times },
      onEnd: (ended) => this.#drop(ended),
    });
    return {
      [Symbol.asyncIterator]: () => {
        this.#hold(stream, wish.sessionId);
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

  #hold(stream: ChangeStream, sessionId: SessionId): void {
    const ofSession = [...this.#held].filter(([, held]) => held === sessionId);
    if (ofSession.length >= perSessionMax) ofSession[0]?.[0].end('replaced');
    this.#held.set(stream, sessionId);
    if (this.#isStopping) stream.end('stopping');
    this.#parts.onCount?.(this.#held.size);
  }

  #drop(stream: ChangeStream): void {
    if (!this.#held.delete(stream)) return;
    this.#parts.onCount?.(this.#held.size);
  }
}
