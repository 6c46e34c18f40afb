import { isObject } from '../kit/fields.ts';
import type { Journal } from '../kit/journal.ts';
import type { Customer, EventRecord, SessionRecord, StoredReply, Subscription } from './model.ts';

type Change =
  | { readonly type: 'customer'; readonly id: string; readonly value: Customer }
  | { readonly type: 'session'; readonly id: string; readonly value: SessionRecord }
  | { readonly type: 'subscription'; readonly id: string; readonly value: Subscription }
  | { readonly type: 'event'; readonly id: string; readonly value: EventRecord }
  | { readonly type: 'reply'; readonly id: string; readonly value: StoredReply }
  | { readonly type: 'clock'; readonly id: 'clock'; readonly value: number };

/** All records of the payment processor; with a journal they survive a kill. */
export class PaymentBook {
  readonly customers = new Map<string, Customer>();
  readonly sessions = new Map<string, SessionRecord>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly events = new Map<string, EventRecord>();
  readonly replies = new Map<string, StoredReply>();
  advancedMs = 0;
  #journal: Journal | undefined;

  keepIn(journal: Journal): void {
    this.#journal = journal;
  }

  put(change: Change): void {
    this.restore(change);
    this.#journal?.append(change);
  }

  restore(change: Change): void {
    switch (change.type) {
      case 'customer':
        this.customers.set(change.id, change.value);
        return;
      case 'session':
        this.sessions.set(change.id, change.value);
        return;
      case 'subscription':
        this.subscriptions.set(change.id, change.value);
        return;
      case 'event':
        this.events.set(change.id, change.value);
        return;
      case 'reply':
        this.replies.set(change.id, change.value);
        return;
      case 'clock':
        this.advancedMs = change.value;
    }
  }

  *snapshot(): Generator<Change> {
    for (const [id, value] of this.customers) yield { type: 'customer', id, value };
    for (const [id, value] of this.sessions) yield { type: 'session', id, value };
    for (const [id, value] of this.subscriptions) yield { type: 'subscription', id, value };
    for (const [id, value] of this.events) yield { type: 'event', id, value };
    for (const [id, value] of this.replies) yield { type: 'reply', id, value };
    yield { type: 'clock', id: 'clock', value: this.advancedMs };
  }
}

/** The journal is the simulator's own file: the type's name is check enough. */
export function isPaymentChange(entry: unknown): entry is Change {
  return isObject(entry) && typeof entry.type === 'string' && 'value' in entry;
}
