import { isObject } from '../kit/fields.ts';
import type { Journal } from '../kit/journal.ts';

export interface Received {
  readonly at: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, null when the bytes are none. */
  readonly body: unknown;
  /** The exact bytes, over which signatures are computed. */
  readonly rawBase64: string;
}

const receivedMax = 100_000;

/** The requests to partners' endpoints, oldest first; the newest 100,000 are kept. */
export class ReceivedLog {
  #received: Received[] = [];
  #journal: Journal | undefined;

  /** From now on every entry is journaled before `add` returns. */
  keepIn(journal: Journal): void {
    this.#journal = journal;
  }

  add(received: Received): void {
    this.#received.push(received);
    if (this.#received.length >= receivedMax * 2) this.#received = this.#received.slice(-receivedMax);
    this.#journal?.append(received);
  }

  list(filter: { path?: RegExp | undefined; eventType?: string | undefined }): readonly Received[] {
    const { path, eventType } = filter;
    return this.all().filter(
      (received) =>
        (path === undefined || path.test(received.path)) &&
        (eventType === undefined || eventTypeOf(received.body) === eventType),
    );
  }

  all(): readonly Received[] {
    return this.#received.slice(-receivedMax);
  }

  clear(): void {
    this.#received = [];
    this.#journal?.append({ cleared: true });
  }

  restore(entry: unknown): void {
    if (!isObject(entry)) return;
    if (entry.cleared === true) this.#received = [];
    else if (isReceived(entry)) this.#received.push(entry);
  }
}

function eventTypeOf(body: unknown): unknown {
  return isObject(body) ? body.eventType : undefined;
}

/** The journal is the receiver's own file: one field is check enough. */
function isReceived(entry: unknown): entry is Received {
  return isObject(entry) && typeof entry.rawBase64 === 'string';
}
