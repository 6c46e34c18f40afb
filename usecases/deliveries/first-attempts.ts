import type { DeliveryId } from '../../core/ids.ts';
import type { AttemptOutcome } from '../../gateways/webhook-sender/port.ts';
import { Batcher } from '../../platform/concurrency/batcher.ts';
import { releaseFirstAttempts } from '../../store/deliveries/claim-deliveries.ts';
import type { Delivery } from '../../store/deliveries/deliveries.ts';
import type { Destination } from '../../store/webhooks/webhook-targets.ts';
import { signedAttempt, type DeliveryContext, type DeliveryStep } from './prepare-attempt.ts';
import { Unsent, type Reservation } from './receiver-slots.ts';
import { isSimple, recordingMaxMs, recordOutcome, recordSimple, type MadeAttempt } from './record-outcome.ts';

/** A first attempt that this process has stored as begun. */
export interface ReservedAttempt {
  readonly delivery: Delivery;
  readonly destination: Destination;
  /** The bytes to send: the delivery's own, unless the member's reference has changed. */
  readonly body: Buffer;
  readonly slot: Reservation;
}

/** null: nothing was sent, and the delivery waits again. */
export type EndOfAttempt = { readonly outcome: AttemptOutcome; readonly step: DeliveryStep } | null;

/**
 * Successes within this time are recorded by one write. Nothing waits for it, because the receiver's slot is free
 * already. After a crash, deliveries answered within this time are sent once more.
 */
const gatheredMs = 20;

/** A commit that hangs in the database delays the outcomes in it for `maxMs`, and later ones for a second. */
const together = {
  ...{ sizeMax: 100, atOnce: 2, begin: { afterMs: gatheredMs } },
  patience: { countedMs: 1_000, underWayMax: 20, waitMaxMs: recordingMaxMs, commitMaxMs: 2 * recordingMaxMs },
} as const;

/**
 * Sends reserved first attempts, and records many outcomes together. A success needs no workflow; at the first failure
 * the row gets the date of the next attempt.
 */
export class FirstAttempts {
  readonly #context: DeliveryContext;
  readonly #record: Batcher<MadeAttempt, DeliveryStep>;
  readonly #giveBack: Batcher<DeliveryId, null>;
  readonly #underWay = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(context: DeliveryContext) {
    this.#context = context;
    this.#record = new Batcher({ ...together, commit: (made) => recordSimple(context, made) });
    this.#giveBack = new Batcher({ ...together, commit: (unsent) => giveBack(context, unsent) });
  }

  /**
   * Resolves when the outcome is stored. Never rejects: an outcome that could not be stored is taken over after its
   * lease.
   */
  send(reserved: ReservedAttempt): Promise<EndOfAttempt> {
    const attempt = this.#send(reserved).catch((error: unknown) => {
      this.#context.logger.warn({ deliveryId: reserved.delivery._id, err: error }, 'delivery.attempt_lost');
      return null;
    });
    const tracked = attempt.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
    return attempt;
  }

  /** Sends nothing further. Resolves when all outcomes are stored and unsent attempts are given back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#underWay);
  }

  async #send({ delivery, destination, body, slot }: ReservedAttempt): Promise<EndOfAttempt> {
    const { encryption, sender, now } = this.#context;
    try {
      const attempt = signedAttempt(encryption, { delivery, destination, body }, now());
      const outcome = await slot.send(() => {
        if (this.#isClosed) throw new Unsent();
        // An explicit trace, because many attempts begin in one turn and the current span may belong to another one.
        return sender.send({ trace: {}, ...attempt });
      });
      const made = { delivery, outcome, headers: attempt.headers, failCount: destination.failCount };
      return { outcome, step: await (isSimple(made) ? this.#recordSoon(made) : recordOutcome(this.#context, made)) };
    } catch (error) {
      if (!(error instanceof Unsent)) throw error;
      return await this.#giveBack.add(delivery._id);
    } finally {
      slot.release();
    }
  }

  /** A failure is recorded at once, because its target may get fewer attempts from now on. */
  #recordSoon(made: MadeAttempt): Promise<DeliveryStep> {
    const recorded = this.#record.add(made);
    if (made.outcome.kind === 'failed') this.#record.flush();
    return recorded;
  }
}

/** The deliveries wait again. */
async function giveBack(
  { store, workerId: claim, now }: DeliveryContext,
  unsent: readonly DeliveryId[],
): Promise<null[]> {
  await releaseFirstAttempts(store, unsent, { claim, now: now() });
  return unsent.map(() => null);
}
