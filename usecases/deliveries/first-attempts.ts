import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { DeliveryId } from '../../core/ids.ts';
import type { AttemptOutcome } from '../../gateways/webhook-sender/port.ts';
import { Batcher } from '../../platform/concurrency/batcher.ts';
import type { Logger } from '../../platform/logger.ts';
import { isStoreUnavailable } from '../../store/database/connection.ts';
import type { Delivery, FirstSuccess } from '../../store/deliveries/deliveries.ts';
import type { Destination } from '../../store/webhooks/webhook-targets.ts';
import type { DeliveryDependencies } from './delivery-dependencies.ts';
import type { EndpointHealth, FirstAdmission } from './endpoint-health.ts';
import { LaneQueue } from './lane-queue.ts';
import { prepareAttempt, type PreparingDependencies } from './prepare-attempt.ts';
import { logRecord, recordingMaxMs, recordOutcome } from './record-outcome.ts';
import { untilStored } from './until-stored.ts';

export interface FirstAttemptDependencies extends DeliveryDependencies {
  readonly health: EndpointHealth;
  readonly reserveMany: (
    ids: readonly DeliveryId[],
    reservation: { claim: string; now: Date },
  ) => Promise<ReadonlySet<DeliveryId>>;
  /** Answers false, and writes nothing, when one of them is open no longer. */
  readonly completeMany: (made: readonly FirstSuccess[], now: Date) => Promise<boolean>;
  /** Starts the workflow that makes the other attempts. When it gets lost, the sweep starts it (protocol 17). */
  readonly handOver: (delivery: Delivery) => void;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Some 40 MB. More are left in the database until there is room, here or in another process. */
const waitingMax = 10_000;
/** Begun and not recorded yet. */
const underWayMax = 400;
/** What hangs in the database holds those beside it for `maxMs`, and those that come later for a second. */
const inGroups = (maxMs: number) => ({
  ...{ sizeMax: 100, atOnce: 2 },
  patience: { countedMs: 1_000, underWayMax: 20, waitMaxMs: maxMs, commitMaxMs: maxMs },
});

interface Waiting {
  readonly delivery: Delivery;
  /** Where it came from: its trace goes on. */
  readonly origin: AsyncResource;
}

/** It got through. */
interface Made {
  readonly delivery: Delivery;
  readonly sent: AttemptOutcome;
}

type Begun = Extract<FirstAdmission, { kind: 'begun' }>;

/**
 * The lane: makes the first attempt of new deliveries in this process, with reservations and outcomes written for many at once. One
 * that gets through needs no workflow; at the first failure its workflow takes over, from the same record (protocol 15, 17). What is
 * waiting here is held by nobody: when the process dies, it is due a moment later. What it was sending has its lease.
 */
export class FirstAttempts {
  readonly #dependencies: FirstAttemptDependencies;
  readonly #queue = new LaneQueue<Waiting>();
  /** Waiting or under way here: the sweep finds those that have waited for a while, too. */
  readonly #known = new Set<DeliveryId>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #preparing: PreparingDependencies;
  readonly #record: Batcher<Made, undefined>;
  #isClosed = false;
  #isAboutToBegin = false;

  constructor(dependencies: FirstAttemptDependencies) {
    this.#dependencies = dependencies;
    this.#record = new Batcher({ ...inGroups(recordingMaxMs), commit: (made) => recordEach(dependencies, made) });
    this.#preparing = preparingInGroups(dependencies);
  }

  /**
   * Takes over its first attempt, and returns at once: `later` when there is no room for it now, `no` when it is its workflow's. A line grows no
   * longer than the room that is left, so however many receivers hang, there is room for the others; the line of one that is slow goes
   * on in the engine, where operators see it.
   */
  offer(delivery: Delivery): 'taken' | 'later' | 'no' {
    if (this.#isClosed || !isUntried(delivery)) return 'no';
    if (this.#known.has(delivery._id)) return 'taken';
    if (this.#queue.lengthOf(delivery.target) >= waitingMax - this.#queue.size)
      return this.#dependencies.health.isSlow(delivery.target) ? 'no' : 'later';
    this.#known.add(delivery._id);
    this.#queue.add(delivery.target, { delivery, origin: new AsyncResource('delivery') });
    this.#beginTo(delivery.target);
    return 'taken';
  }

  get isFull(): boolean {
    return this.#isClosed || this.#queue.size >= waitingMax;
  }

  /** Makes what is waiting due for others, and resolves when the outcome of what is under way is recorded. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const waiting = this.#queue.targets().flatMap((target) => this.#queue.takeAll(target));
    const ids = waiting.map(({ delivery }) => delivery._id);
    const { deliveries, now, logger } = this.#dependencies;
    if (ids.length > 0)
      await deliveries
        .releaseClaims(ids, now())
        .catch((error: unknown) => logger.warn({ err: error }, 'lane.not_released'));
    await Promise.all(this.#underWay);
  }

  /** A place that became free may be anybody's; who has many lines does not look through them for each one. */
  #beginSoon(): void {
    if (this.#isAboutToBegin || this.#queue.size === 0) return;
    this.#isAboutToBegin = true;
    setImmediate(() => {
      this.#isAboutToBegin = false;
      for (const target of this.#queue.targets()) this.#beginTo(target);
    });
  }

  #beginTo(target: string): void {
    while (this.#underWay.size < underWayMax) {
      const admission = this.#dependencies.health.tryBeginFirst(target);
      if (admission.kind === 'full') return;
      const next = this.#queue.takeOne(target);
      if (next === undefined) {
        admission.end(undefined);
        return;
      }
      this.#track(
        next.delivery,
        next.origin.runInAsyncScope(() => this.#attempt(next.delivery, admission)),
      );
    }
  }

  #track(delivery: Delivery, attempt: Promise<void>): void {
    const tracked = attempt
      // Its record says how far it came, and its workflow shows why it goes no further.
      .catch((error: unknown) => {
        this.#dependencies.logger.warn({ deliveryId: delivery._id, err: error }, 'lane.attempt_lost');
        if (!isStoreUnavailable(error)) this.#dependencies.handOver(delivery);
      })
      .finally(() => {
        this.#underWay.delete(tracked);
        this.#known.delete(delivery._id);
        this.#beginSoon();
      });
    this.#underWay.add(tracked);
  }

  async #attempt(stored: Delivery, admission: Begun): Promise<void> {
    const { sender } = this.#dependencies;
    let sent: AttemptOutcome | undefined;
    let delivery: Delivery;
    try {
      const prepared = await prepareAttempt(this.#preparing, stored);
      if ('stopped' in prepared) return;
      delivery = { ...prepared.delivery, attempts: 1 };
      admission.sends();
      sent = await sender.send(prepared.attempt);
    } finally {
      admission.end(sent && { succeeded: sent.kind === 'succeeded', durationMs: sent.durationMs });
      // Its place is free while its outcome is being recorded.
      this.#beginSoon();
    }
    if (sent.kind === 'succeeded') return this.#record.add({ delivery, sent });
    const step = await recordOutcome(this.#dependencies, delivery, sent);
    if (step.kind === 'wait') this.#dependencies.handOver(delivery);
  }
}

/** As single attempts are prepared, but with one look and one reservation for many. */
function preparingInGroups(dependencies: FirstAttemptDependencies): PreparingDependencies {
  const { deliveries } = dependencies;
  const looks = new Batcher<Delivery, Destination | null>({
    ...inGroups(preparingMaxMs),
    commit: (wanted) => findEach(dependencies, wanted),
  });
  const reservations = new Batcher<DeliveryId, boolean>({
    ...inGroups(preparingMaxMs),
    commit: (ids) => reserveEach(dependencies, ids),
  });
  return {
    ...dependencies,
    findDestination: (delivery) => looks.add(delivery),
    deliveries: {
      close: (delivery, end) => deliveries.close(delivery, end),
      // What another process would have to log instead of `body` is stored with it, one by one.
      reserve: (delivery, now) =>
        delivery.changedBody === null ? reservations.add(delivery._id) : deliveries.reserve(delivery, now),
    },
  };
}

const isUntried = ({ purpose, attempts, inFlightSince, state }: Delivery): boolean =>
  purpose === 'event' && state === 'pending' && attempts === 0 && inFlightSince === null;

/** Looks once for all deliveries to the same target. */
async function findEach(
  { findDestination }: DeliveryDependencies,
  deliveries: readonly Delivery[],
): Promise<(Destination | null)[]> {
  const looks = new Map(deliveries.map((delivery) => [delivery.target, delivery]));
  const found = new Map(
    await Promise.all([...looks].map(async ([target, delivery]) => [target, await findDestination(delivery)] as const)),
  );
  return deliveries.map(({ target }) => found.get(target) ?? null);
}

/** A look or a reservation older than this is not used: the lease should outlast the attempt. */
const preparingMaxMs = 5_000;

async function reserveEach(
  { reserveMany, now }: FirstAttemptDependencies,
  ids: readonly DeliveryId[],
): Promise<boolean[]> {
  const reservation = { claim: randomUUID(), now: now() };
  const ours = await untilStored(() => reserveMany(ids, reservation), preparingMaxMs);
  return ids.map((id) => ours.has(id));
}

async function recordEach(dependencies: FirstAttemptDependencies, made: readonly Made[]): Promise<undefined[]> {
  const { completeMany, now, tell } = dependencies;
  const at = now();
  const successes = made.map(({ delivery, sent }) => ({ delivery, attempt: logRecord(delivery, sent, at) }));
  const areRecorded = await untilStored(() => completeMany(successes, at), recordingMaxMs);
  if (areRecorded) for (const success of successes) tell({ ...success, state: 'succeeded' });
  else for (const { delivery, sent } of made) await recordOutcome(dependencies, delivery, sent);
  return made.map(() => undefined);
}
