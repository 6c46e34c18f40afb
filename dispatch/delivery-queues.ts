import { LRUCache } from 'lru-cache';
import type { AccountId, DeliveryId } from '../core/ids.ts';
import { wantsEvent } from '../core/webhooks/delivery.ts';
import { countRetrying, reserved } from '../store/deliveries/claim-deliveries.ts';
import type { Delivery } from '../store/deliveries/deliveries.ts';
import { targetQueue } from '../store/dispatch/due-rows.ts';
import { planDelivery, type DeliveryPlan } from '../store/deliveries/plan-deliveries.ts';
import { noteTrouble } from '../store/webhooks/receivers-in-trouble.ts';
import { keyOfTarget, type Target } from '../store/webhooks/webhook-targets.ts';
import type { DeliveryContext, DeliveryStep, TargetName } from '../usecases/deliveries/prepare-attempt.ts';
import { FirstAttempts, type ReservedAttempt } from '../usecases/deliveries/first-attempts.ts';
import type { Reservation } from '../usecases/deliveries/receiver-slots.ts';
import { claimFromQueue, learn, newQueue, roomOf, type Queue } from './delivery-queue.ts';
import type { WorkflowStarts } from './start-workflows.ts';
import { Turns, turnFailed } from './turns.ts';

export interface LineDependencies extends DeliveryContext {
  readonly owns: (account: AccountId) => boolean;
  readonly starts: Pick<WorkflowStarts, 'deliverySoon'>;
}

const queuesMax = 10_000;
const claimsAtOnce = 8;
/** How long a count of deliveries between two attempts is used before it is read again. */
const countedMs = 500;
const noteAgainMs = 60_000;

/**
 * The queues of webhook targets. A new event is sent at once where its target has a slot and no queue; else it waits in its queue, in
 * the database, and is taken in turn. One target has at most as many deliveries between two attempts as disable it: what comes
 * meanwhile waits untried. So a dead receiver costs fifteen workflows, however many events it misses.
 */
export class DeliveryQueues {
  readonly #dependencies: LineDependencies;
  readonly #attempts: FirstAttempts;
  readonly #turns: Turns;
  readonly #queues = new LRUCache<string, Queue>({ max: queuesMax });
  /** Targets whose queue waits for a slot. */
  readonly #crowded = new Set<string>();
  /** Targets whose queue waits for a retry to get through, or to be given up. */
  readonly #held = new Set<string>();
  #countedAt = Number.NEGATIVE_INFINITY;
  #isAboutToWake = false;
  #isClosed = false;

  constructor(dependencies: LineDependencies) {
    this.#dependencies = dependencies;
    this.#attempts = new FirstAttempts(dependencies);
    const onFailure = turnFailed(dependencies.logger, 'dispatch-deliveries');
    this.#turns = new Turns({
      ...{ atOnce: claimsAtOnce, together: 1, onFailure },
      work: async ([target = '']) => ((await this.#take(target)) ? [target] : []),
    });
    dependencies.slots.onFree(() => this.#wakeSoon());
  }

  /** The target has due deliveries, or may have some. */
  add(target: TargetName): void {
    if (this.#isClosed) return;
    const queue = this.#queueOf(target);
    queue.isWaiting = true;
    queue.added += 1;
    this.#turns.add(target.target);
  }

  /**
   * For one transaction: plans its deliveries, reserved where they may be sent at once. The transaction may ask several times. After
   * it, `onStored` sends them; `drop` gives back what was reserved for deliveries that were not stored.
   */
  plan(): DeliveryPlan {
    const begun = new Map<DeliveryId, ReservedAttempt>();
    const reserve = (delivery: Delivery, target: Target, now: Date): Delivery => {
      const known = begun.get(delivery._id);
      const slot = known?.slot ?? (delivery.state === 'pending' ? this.#reserve(target) : null);
      if (slot === null) return delivery;
      const begin = { ...delivery, ...reserved({ claim: this.#dependencies.workerId, now }) };
      begun.set(delivery._id, { delivery: begin, destination: target.destination, body: delivery.body, slot });
      return begin;
    };
    return {
      planDeliveries: (event, targets, now) =>
        targets
          .filter((target) => wantsEvent(target, event.entry))
          .map((target) => reserve(planDelivery(event, target, now), target, now)),
      onStored: (deliveries) => {
        for (const delivery of deliveries) {
          const attempt = begun.get(delivery._id);
          begun.delete(delivery._id);
          if (attempt !== undefined) this.#make(attempt);
          else if (delivery.state === 'pending') this.#announce(delivery);
        }
      },
      drop: () => {
        for (const { slot, delivery } of begun.values()) {
          slot.release();
          this.#queueOf(delivery).inFlight -= 1;
        }
        begun.clear();
      },
    };
  }

  /** Makes a first attempt that is counted as in flight, and sees to what comes after it. */
  #make(attempt: ReservedAttempt): void {
    const queue = this.#queueOf(attempt.delivery);
    const end = async (): Promise<void> => {
      const ended = await this.#attempts.send(attempt);
      queue.inFlight -= 1;
      if (ended?.outcome.kind === 'succeeded') queue.credit += 1;
      if (ended === null) this.add(attempt.delivery);
      else this.follow(attempt.delivery, ended.step);
    };
    end().catch((error: unknown) => this.#dependencies.logger.warn({ err: error }, 'delivery.not_followed'));
  }

  /** Called when an attempt has failed, and a workflow makes the next one. */
  follow(delivery: Delivery, step: DeliveryStep): void {
    if (step.kind === 'closed') return;
    this.#queueOf(delivery).retrying += 1;
    const { now, starts } = this.#dependencies;
    starts.deliverySoon({ ...delivery, retryAt: new Date(now().getTime() + step.forMs) });
  }

  /** Takes no further queue, and resolves when the attempts under way are recorded. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turns.close();
    await this.#attempts.close();
  }

  /** Reserves a slot for a new event, if no older delivery of the target waits. null: it has to wait. */
  #reserve(target: Target): Reservation | null {
    const { owns, slots } = this.#dependencies;
    const { accountId, destination } = target;
    if (this.#isClosed || !owns(accountId)) return null;
    const endpointId = target.kind === 'account' ? null : target.endpointId;
    const queue = this.#queueOf({ target: keyOfTarget(target), accountId, endpointId });
    learn(queue, destination);
    if (queue.isWaiting || roomOf(queue) <= 0) return null;
    const slot = slots.reserve({ accountId, url: destination.url });
    if (slot !== null) queue.inFlight += 1;
    return slot;
  }

  #announce({ target, accountId, endpointId }: Delivery): void {
    if (!this.#isClosed && this.#dependencies.owns(accountId)) this.add({ target, accountId, endpointId });
    else this.#dependencies.ring(targetQueue('worker', { accountId, target }));
  }

  /** Takes as many deliveries as the target's receiver has slots for. Returns whether more can be taken now. */
  async #take(target: string): Promise<boolean> {
    const queue = this.#queues.get(target);
    const { owns, slots } = this.#dependencies;
    if (queue === undefined || !owns(queue.accountId) || (await this.#isHeld(queue))) return false;
    const free = queue.receiver === undefined ? Infinity : slots.free(queue.receiver);
    if (free <= 0) {
      this.#crowded.add(target);
      return false;
    }
    const { added } = queue;
    const claimed = await claimFromQueue(this.#dependencies, queue, Math.min(free, roomOf(queue)));
    queue.inFlight += claimed.reserved.length;
    for (const attempt of claimed.reserved) this.#make(attempt);
    for (const { delivery, step } of claimed.takenOver) this.follow(delivery, step);
    // A delivery that came while the rows were read may not be among them, so the target gets another turn.
    queue.isWaiting = claimed.left !== 'none' || queue.added !== added;
    if (claimed.left === 'no-slot') this.#crowded.add(target);
    if (claimed.isLate) await this.#noteTrouble(queue);
    return claimed.left === 'more';
  }

  /** Whether the target has as many deliveries between two attempts as it may have. */
  async #isHeld(queue: Queue): Promise<boolean> {
    if (roomOf(queue) > 0) return false;
    this.#held.add(queue.target);
    if (performance.now() - this.#countedAt > countedMs) {
      this.#countedAt = performance.now();
      const counts = await countRetrying(this.#dependencies.store, [...this.#held]);
      for (const held of this.#held) {
        const of = this.#queues.get(held);
        if (of !== undefined) of.retrying = counts.get(held) ?? 0;
      }
    }
    if (roomOf(queue) <= 0) {
      await this.#noteTrouble(queue);
      return true;
    }
    this.#held.delete(queue.target);
    return false;
  }

  async #noteTrouble(queue: Queue): Promise<void> {
    const at = performance.now();
    if (at - queue.troubleNotedAt < noteAgainMs) return;
    queue.troubleNotedAt = at;
    const { store, now } = this.#dependencies;
    await noteTrouble(store, queue, { now: now() });
  }

  #wakeSoon(): void {
    if (this.#isAboutToWake || this.#crowded.size === 0) return;
    this.#isAboutToWake = true;
    setImmediate(() => {
      this.#isAboutToWake = false;
      for (const target of this.#crowded) {
        const queue = this.#queues.get(target);
        if (queue !== undefined && !this.#isWorthTaking(queue)) continue;
        this.#crowded.delete(target);
        this.#turns.add(target);
      }
    });
  }

  /** Waits until several slots are free, so that one read of the rows serves several deliveries. */
  #isWorthTaking({ receiver, inFlight }: Queue): boolean {
    if (receiver === undefined || inFlight === 0) return true;
    return this.#dependencies.slots.free(receiver) >= Math.min(inFlight, 16);
  }

  #queueOf(target: TargetName): Queue {
    const known = this.#queues.get(target.target);
    if (known !== undefined) return known;
    const queue = newQueue(target);
    this.#queues.set(target.target, queue);
    return queue;
  }
}
