import { disableAfterFailures } from './rules/disable-after-failures.ts';
import type { Delivery } from './store/deliveries.ts';
import {
  begun,
  beginWaiting,
  closeUnsent,
  closeWaiting,
  countUnderWay,
  findWaiting,
} from './store/waiting-deliveries.ts';
import type { TargetName } from './store/receiver-state.ts';
import { findDestination, type Destination } from './store/webhook-targets.ts';
import { mayBeSent, presentBodies, type DeliveryContext } from './prepare-attempt.ts';
import type { FirstAttempt, StoredDeliveries } from './send-stored.ts';

export interface SendWaitingContext extends DeliveryContext {
  readonly stored: StoredDeliveries;
}

/** What one look at the waiting deliveries of a target has found and begun. */
export interface Taken {
  /** Deliveries that were begun or closed. */
  readonly count: number;
  /** Others wait for a slot, or for a retry to end. */
  readonly hasMore: boolean;
  /** The target is there and enabled: others may come at any moment. */
  readonly isActive: boolean;
  /** The target fails, so few of its deliveries may be between two attempts. */
  readonly isQueue: boolean;
  /** The address has not answered with success yet: it is sent little. */
  readonly isUnproven: boolean;
  /** Resolves when the begun ones have ended. */
  readonly ended: Promise<unknown>;
}

/** Most rows that one look takes. */
const rowsMax = 100;
/** At an account's own URL, which is never disabled, a delivery that has waited untried for this long counts as missed. */
const untriedMaxMs = 3_600_000;

/**
 * Begins the first deliveries that wait for the target, as many as its receiver has slots for. Of a target that fails it begins only
 * as many as disable it, counted with those between two attempts. A delivery that may not be sent any more is closed.
 */
export async function sendWaiting(context: SendWaitingContext, name: TargetName): Promise<Taken> {
  const { store } = context;
  const destination = await findDestination(store, name);
  const isQueue = destination?.queue === true;
  const isUnproven = destination !== null && destination.isProven !== true;
  const closed = await closeOverdue(context, name, destination);
  const isActive = destination?.active === true;
  if (destination?.active === false)
    return { count: closed, hasMore: false, isActive, isQueue, isUnproven, ended: Promise.resolve() };
  const limit = await roomFor(context, name, destination);
  const rows = await findWaiting(store, name, Math.max(1, limit));
  const sendable = limit > 0 ? await closeOthers(context, rows, destination) : [];
  const sent = await beginAll(context, name, sendable);
  const unsendable = limit > 0 ? rows.length - sendable.length : 0;
  return {
    count: closed + unsendable + sent.length,
    hasMore: limit > 0 ? rows.length === limit || sent.length < sendable.length : rows.length > 0,
    isActive,
    isQueue,
    isUnproven,
    ended: Promise.all(sent),
  };
}

/** Begins those for which the receiver has slots, in their order. Returns what resolves with the end of each. */
async function beginAll(
  context: SendWaitingContext,
  { accountId }: TargetName,
  sendable: readonly Sendable[],
): Promise<Promise<void>[]> {
  const { store, stored, now } = context;
  const placed = placeAll(context, sendable);
  if (placed.length === 0) return [];
  const at = now();
  const ids = placed.map(({ delivery }) => delivery._id);
  if (!(await isBegun(() => beginWaiting(store, { accountId, ids }, at), placed))) return [];
  return placed.map((first) => stored.send({ ...first, delivery: { ...first.delivery, ...begun(at) } }));
}

/** A disabled target's events are missed until a recovery sends them. */
async function closeOverdue(
  { store, now }: DeliveryContext,
  name: TargetName,
  destination: Destination | null,
): Promise<number> {
  if (destination === null) return 0;
  if (!destination.active) return closeWaiting(store, name, { now: now() });
  if (name.endpointId !== null || destination.failCount === 0) return 0;
  return closeWaiting(store, name, { now: now(), before: new Date(now().getTime() - untriedMaxMs) });
}

async function roomFor(
  { store, slots }: DeliveryContext,
  name: TargetName,
  destination: Destination | null,
): Promise<number> {
  if (destination === null) return rowsMax;
  const free = slots.free({ accountId: name.accountId, url: destination.url });
  if (destination.queue !== true || free <= 0) return Math.min(rowsMax, free);
  const isAskedSeldom = name.endpointId === null && destination.failCount >= disableAfterFailures;
  const most = isAskedSeldom ? 1 : disableAfterFailures;
  const together = destination.isProven === true ? most : 1;
  return Math.min(free, together, most - (await countUnderWay(store, name, most)));
}

type Sendable = Omit<FirstAttempt, 'slot'>;

/** Closes the deliveries whose target is gone, or whose receiver has lost its right to the event; returns the others. */
async function closeOthers(
  { store, now }: DeliveryContext,
  deliveries: readonly Delivery[],
  destination: Destination | null,
): Promise<Sendable[]> {
  if (deliveries.length === 0) return [];
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

/** Reserves slots in the order of the deliveries, as many as the receiver has. */
function placeAll({ slots }: DeliveryContext, sendable: readonly Sendable[]): FirstAttempt[] {
  const placed: FirstAttempt[] = [];
  for (const one of sendable) {
    const slot = slots.reserve({ accountId: one.delivery.accountId, url: one.destination.url });
    if (slot === null) break;
    placed.push({ ...one, slot });
  }
  return placed;
}

/** Gives the slots back when the beginning was not stored. */
async function isBegun(begin: () => Promise<boolean>, placed: readonly FirstAttempt[]): Promise<boolean> {
  let isStored = false;
  try {
    isStored = await begin();
    return isStored;
  } finally {
    if (!isStored) for (const { slot } of placed) slot.release();
  }
}
