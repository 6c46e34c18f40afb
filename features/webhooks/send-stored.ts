import { setTimeout as pause } from 'node:timers/promises';
import type { DeliveryId } from '../rules/ids.ts';
import { wantsEvent } from './rules/delivery.ts';
import type { Delivery } from './store/deliveries.ts';
import { planDelivery, type DeliveryPlan } from './store/make-deliveries.ts';
import { begun } from './store/waiting-deliveries.ts';
import type { Destination, Target } from './store/webhook-targets.ts';
import { makeAttempt } from './attempt-delivery.ts';
import { signedAttempt, type DeliveryContext } from './prepare-attempt.ts';
import { Unsent, type AttemptPermit } from './receiver-slots.ts';

/** A first attempt that is stored as begun, or will be by the transaction that is under way. */
export interface FirstAttempt {
  readonly delivery: Delivery;
  readonly destination: Destination;
  /** The bytes to send: the delivery's own, unless the member's reference has changed. */
  readonly body: Buffer;
  readonly slot: AttemptPermit;
}

/** An attempt that is sent later might still be under way when its lease ends. */
const sendWithinMs = 4_000;
/** What is under way then is left to its lease. */
const closeMaxMs = 10_000;

/**
 * Makes the first attempts of the deliveries that this process has stored. One for each process. Its plan decides within the
 * transaction which of them it can send; the others wait for the workflow of their receiver.
 */
export class StoredDeliveries {
  readonly #context: DeliveryContext;
  readonly #underWay = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(context: DeliveryContext) {
    this.#context = context;
  }

  /**
   * For one transaction: plans its deliveries, begun where they may be sent at once. The transaction may ask several times. After
   * it, `onStored` sends them; `drop` gives back the slots of deliveries that were not stored.
   */
  plan(): DeliveryPlan {
    const planned = new Map<DeliveryId, FirstAttempt>();
    const begin = (delivery: Delivery, { accountId, destination }: Target, now: Date): Delivery => {
      const known = planned.get(delivery._id)?.slot ?? null;
      planned.delete(delivery._id);
      if (this.#isClosed || !delivery.waits || destination.queue === true) {
        known?.release();
        return delivery;
      }
      const slot = known ?? this.#context.slots.reserve({ accountId, url: destination.url });
      if (slot === null) return delivery;
      const first = { ...delivery, ...begun(now) };
      planned.set(delivery._id, { delivery: first, destination, body: delivery.body, slot });
      return first;
    };
    return {
      planDeliveries: (event, targets, now) =>
        targets
          .filter((target) => wantsEvent(target, event.entry))
          .map((target) => begin(planDelivery(event, target, now), target, now)),
      onStored: (deliveries) => {
        for (const delivery of deliveries) {
          const first = planned.get(delivery._id);
          planned.delete(delivery._id);
          if (first !== undefined) this.send(first).catch(() => undefined);
          else if (delivery.waits) this.#context.starts.wakeReceiver(delivery);
        }
      },
      drop: () => {
        for (const { slot } of planned.values()) slot.release();
        planned.clear();
      },
    };
  }

  /** Resolves when the outcome is stored, or nothing was sent. Never rejects: what is lost is found by its lease. */
  send(first: FirstAttempt): Promise<void> {
    const sent = this.#send(first)
      .catch((error: unknown) => {
        this.#context.logger.warn({ deliveryId: first.delivery._id, err: error }, 'delivery.attempt_lost');
      })
      .finally(() => this.#underWay.delete(sent));
    this.#underWay.add(sent);
    return sent;
  }

  /** Sends nothing further: what is not begun waits again. Resolves when all else is stored, after ten seconds at the latest. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#context.slots.giveUpWaiting();
    const timer = new AbortController();
    const late = pause(closeMaxMs, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.#underWay), late]);
    timer.abort();
  }

  async #send({ delivery, destination, body, slot }: FirstAttempt): Promise<void> {
    const { encryption, outcomes, starts, now } = this.#context;
    const mayBeLate = (): boolean => now().getTime() - delivery.updatedAt.getTime() > sendWithinMs;
    const own: AttemptPermit = {
      release: () => slot.release(),
      send: (attempt) =>
        slot.send(() => {
          if (this.#isClosed || mayBeLate()) throw new Unsent();
          return attempt();
        }),
    };
    try {
      const attempt = signedAttempt(encryption, { delivery, destination, body }, now());
      const result = await makeAttempt(this.#context, { delivery, destination, attempt, slot: own });
      if (result === 'failed') starts.deliverySoon(delivery);
    } catch (error) {
      if (!(error instanceof Unsent)) throw error;
      await outcomes.giveBack(delivery);
    } finally {
      slot.release();
    }
  }
}
