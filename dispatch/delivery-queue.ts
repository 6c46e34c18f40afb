import { disableAfterFailures } from '../core/webhooks/delivery.ts';
import {
  closeLine,
  closeUnsent,
  findQueue,
  reserveAttempt,
  reserveFirstAttempts,
} from '../store/deliveries/claim-deliveries.ts';
import type { Delivery } from '../store/deliveries/deliveries.ts';
import { findDestination, type Destination } from '../store/webhooks/webhook-targets.ts';
import { takeOver } from '../usecases/deliveries/attempt-delivery.ts';
import type { ReservedAttempt } from '../usecases/deliveries/first-attempts.ts';
import {
  mayBeSent,
  presentBodies,
  type DeliveryContext,
  type DeliveryStep,
  type TargetName,
} from '../usecases/deliveries/prepare-attempt.ts';
import type { ReceiverName, Reservation } from '../usecases/deliveries/receiver-slots.ts';
import { untilStored } from '../usecases/deliveries/record-outcome.ts';

/** The deliveries that one read of a queue gave to this process. */
export interface Claimed {
  readonly reserved: readonly ReservedAttempt[];
  /** Attempts of processes that have ended. */
  readonly takenOver: readonly { readonly delivery: Delivery; readonly step: DeliveryStep }[];
  /** `no-slot`: the rest waits until the receiver has room. */
  readonly left: 'none' | 'more' | 'no-slot';
  /** The first delivery of the queue has waited for more than ten seconds. */
  readonly isLate: boolean;
}

const nothing: Claimed = { reserved: [], takenOver: [], left: 'none', isLate: false };

/** Most rows that one read of a queue takes. */
const rowsMax = 50;
const lateMs = 10_000;
/** A reservation older than this is not used: the lease should outlast the attempt. */
const reservingMaxMs = 5_000;
/** At an account's own URL, which is never disabled, a delivery that has waited untried for this long counts as missed. */
const untriedMaxMs = 3_600_000;

/**
 * Takes the first deliveries of a queue, at most `room`, reserved for this process. A delivery that may not be sent any more is
 * closed.
 */
export async function claimFromQueue(context: DeliveryContext, queue: Queue, room: number): Promise<Claimed> {
  const { store, now } = context;
  const limit = Math.min(rowsMax, room);
  const rows = await findQueue(store, queue.target, { now: now(), limit });
  if (rows.length === 0) return nothing;
  const left = rows.length === limit ? 'more' : 'none';
  const destination = await findDestination(store, queue);
  if (destination !== null) learn(queue, destination);
  const begun = rows.filter(({ inFlightSince }) => inFlightSince !== null);
  const takenOver = await Promise.all(begun.map((delivery) => endAttempt(context, delivery)));
  if (await isClosed(context, queue, destination)) return { ...nothing, takenOver, left };
  const untried = rows.filter(({ inFlightSince }) => inFlightSince === null);
  const sendable = await closeOthers(context, untried, destination);
  const placed = placeAll(context, queue, sendable);
  const reserved = await reserveAll(context, placed);
  const isLate = now().getTime() - (untried[0]?.createdAt.getTime() ?? now().getTime()) > lateMs;
  return { reserved, takenOver, isLate, left: placed.length < sendable.length ? 'no-slot' : left };
}

async function endAttempt(
  context: DeliveryContext,
  delivery: Delivery,
): Promise<{ readonly delivery: Delivery; readonly step: DeliveryStep }> {
  return { delivery, step: await takeOver(context, delivery, delivery.inFlightSince ?? context.now()) };
}

/** A disabled target's queue is over: its events are missed until a recovery sends them. */
async function isClosed(
  { store, now }: DeliveryContext,
  { target, endpointId }: Queue,
  destination: Destination | null,
): Promise<boolean> {
  const at = now();
  if (destination?.active === false) return (await closeLine(store, target, { now: at })) > 0;
  if (endpointId === null && destination !== null && destination.failCount > 0)
    await closeLine(store, target, { now: at, before: new Date(at.getTime() - untriedMaxMs) });
  return false;
}

interface Sendable {
  readonly delivery: Delivery;
  readonly destination: Destination;
  readonly body: Buffer;
}

/** Closes the deliveries whose target is gone, or whose receiver has lost its right to the event; returns the others. */
async function closeOthers(
  { store, now }: DeliveryContext,
  deliveries: readonly Delivery[],
  destination: Destination | null,
): Promise<Sendable[]> {
  const present = await presentBodies(store, deliveries);
  const found = await Promise.all(
    deliveries.map(async (delivery): Promise<Sendable[]> => {
      const may = mayBeSent(delivery, destination, present(delivery));
      if (may.kind === 'send') return [{ delivery, destination: may.destination, body: may.body }];
      await closeUnsent(store, delivery, { ...may, now: now() });
      return [];
    }),
  );
  return found.flat();
}

type Placed = Sendable & { readonly slot: Reservation };

/** Reserves slots in the order of the deliveries, as many as the receiver has. */
function placeAll({ slots }: DeliveryContext, { accountId }: Queue, sendable: readonly Sendable[]): Placed[] {
  const placed: Placed[] = [];
  for (const one of sendable) {
    const slot = slots.reserve({ accountId, url: one.destination.url });
    if (slot === null) break;
    placed.push({ ...one, slot });
  }
  return placed;
}

/** Stores the reservations. A delivery that another process has reserved first gives back its slot. */
async function reserveAll(context: DeliveryContext, placed: readonly Placed[]): Promise<ReservedAttempt[]> {
  const { store, workerId: claim, now } = context;
  const reservation = { claim, now: now() };
  const unchanged = placed.flatMap(({ delivery, body }) => (body === delivery.body ? [delivery._id] : []));
  try {
    const ours = await untilStored(() => reserveFirstAttempts(store, unchanged, reservation), reservingMaxMs);
    const reserved = await Promise.all(
      placed.map(async ({ delivery, body, ...rest }): Promise<ReservedAttempt[]> => {
        const changedBody = body === delivery.body ? null : body;
        const isOurs =
          changedBody === null
            ? ours.has(delivery._id)
            : // What another process would have to log instead of `body` is stored with it, one by one.
              await reserveAttempt(store, { ...delivery, changedBody }, reservation);
        if (isOurs) return [{ ...rest, body, delivery: { ...delivery, changedBody, attempts: 1 } }];
        rest.slot.release();
        return [];
      }),
    );
    return reserved.flat();
  } catch (error) {
    for (const { slot } of placed) slot.release();
    throw error;
  }
}

/** What this process knows of the deliveries that wait for one target. */
export interface Queue extends TargetName {
  /** The account and URL of the last read; undefined before the first one. */
  receiver: ReceiverName | undefined;
  /** The database has unreserved deliveries of the target, so new ones wait behind them. */
  isWaiting: boolean;
  /** Raised by each announcement of work, so that one that comes while the rows are read is noticed. */
  added: number;
  /** First attempts that are reserved or under way. */
  inFlight: number;
  /** Deliveries between two attempts, as far as this process knows. */
  retrying: number;
  /** Deliveries given up in a row. */
  failCount: number;
  /** Successes since the last one that was given up. */
  credit: number;
  troubleNotedAt: number;
}

export const newQueue = ({ target, accountId, endpointId }: TargetName): Queue => ({
  ...{ target, accountId, endpointId, receiver: undefined, isWaiting: false, added: 0 },
  ...{ inFlight: 0, retrying: 0, failCount: 0, credit: 0, troubleNotedAt: Number.NEGATIVE_INFINITY },
});

/** Takes over what the database says of the target. */
export function learn(queue: Queue, { url, failCount }: Destination): void {
  queue.receiver = { accountId: queue.accountId, url };
  queue.failCount = failCount;
  if (failCount > 0) queue.credit = 0;
}

/**
 * So many successes in a row allow one more delivery between two attempts. A receiver that fails now and then keeps its pace.
 */
const successesPerMore = 5;
const moreMax = 60;

/**
 * How many more first attempts a target may have. While one of its deliveries is between two attempts, all attempts under way
 * may fail, too. So it gets as many as disable it, and more only after successes. A URL of an account is never disabled: after
 * as many failures in a row it gets one delivery at a time.
 */
export function roomOf({ endpointId, failCount, retrying, inFlight, credit }: Queue): number {
  if (endpointId === null && failCount >= disableAfterFailures) return 1 - retrying - inFlight;
  if (retrying === 0) return Infinity;
  const more = Math.min(moreMax, Math.floor(credit / successesPerMore));
  return disableAfterFailures + more - retrying - inFlight;
}
