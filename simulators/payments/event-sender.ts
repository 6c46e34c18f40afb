import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { PaymentEvent } from './model.ts';
import type { PaymentBook } from './payment-book.ts';

export interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
}

const attemptTimeoutMs = 10_000;
/**
 * Doubles from half a second. The real processor retries for days; this one for about 17 minutes, and then waits for a
 * new target or a restart.
 */
const waitsMs = Array.from({ length: 12 }, (_, index) => Math.min(500 * 2 ** index, 240_000));

/**
 * Sends signed events until they are answered with 2xx. As with the real processor, order is not kept, and an event may
 * arrive twice.
 */
export class EventSender {
  readonly #book: PaymentBook;
  readonly #inFlight = new Set<string>();
  readonly #stopping = new AbortController();
  #target: WebhookTarget | undefined;

  constructor(book: PaymentBook, target: WebhookTarget | undefined) {
    this.#book = book;
    this.#target = target;
  }

  /** Events that are not delivered yet go to the new target. */
  sendTo(target: WebhookTarget): void {
    this.#target = target;
    this.sendPending();
  }

  add(event: PaymentEvent): void {
    this.#book.put({ type: 'event', id: event.id, value: { event, delivered: false, attempts: 0 } });
    this.#start(event.id);
  }

  sendPending(): void {
    for (const [id, record] of this.#book.events) if (!record.delivered) this.#start(id);
  }

  stop(): void {
    this.#stopping.abort();
  }

  #start(eventId: string): void {
    if (this.#target === undefined || this.#inFlight.has(eventId)) return;
    this.#inFlight.add(eventId);
    const finished = (): boolean => this.#inFlight.delete(eventId);
    // A delivery handles its own failures. Only a full disk under the journal can break it off, and a restart resumes
    // it.
    this.#deliver(eventId).then(finished, finished);
  }

  async #deliver(eventId: string): Promise<void> {
    for (const waitMs of waitsMs) {
      const record = this.#book.events.get(eventId);
      if (record === undefined || this.#target === undefined || this.#isStopped()) return;
      const delivered = await this.#attempt(record.event, this.#target);
      this.#book.put({ type: 'event', id: eventId, value: { ...record, delivered, attempts: record.attempts + 1 } });
      if (delivered || !(await this.#pause(waitMs))) return;
    }
  }

  async #attempt(event: PaymentEvent, target: WebhookTarget): Promise<boolean> {
    const body = JSON.stringify(event);
    try {
      const response = await fetch(target.url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': sign(body, target.secret) },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(attemptTimeoutMs)]),
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      // After any failure another attempt follows.
      return false;
    }
  }

  /** False when the sender was stopped meanwhile. */
  async #pause(waitMs: number): Promise<boolean> {
    await wait(waitMs, undefined, { ref: false, signal: this.#stopping.signal }).catch(() => undefined);
    return !this.#isStopped();
  }

  #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }
}

/**
 * Stripe's scheme: HMAC-SHA256 over `<seconds>.<body>`. In real time, because the receiver compares it with its own
 * clock.
 */
function sign(body: string, secret: string): string {
  const seconds = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
}
