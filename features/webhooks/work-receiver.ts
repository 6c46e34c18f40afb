import type { ExplainedReceiver } from '../operations/rules/explain-wait.ts';
import { endpointOfTarget } from './rules/delivery.ts';
import { findReceiver, writeLook, type ReceiverState, type TargetName } from './store/receiver-state.ts';
import { countUnderWay, type TargetKey } from './store/waiting-deliveries.ts';
import { sendWaiting, type SendWaitingContext, type Taken } from './send-waiting.ts';
import { sendMissed, type MissedStep } from './send-missed.ts';
import { describeTrouble, lateSince } from './look-at-receiver.ts';

export interface ReceiverContext extends SendWaitingContext {
  readonly pause: (ms: number) => Promise<unknown>;
}

/**
 * `sends`: more is to be sent. `quiet`: nothing was found; a change that is being committed may bring more. `rests`: it waits for a
 * person. `ended`: nothing is owed, and the row says so.
 */
export type ReceiverStep =
  | { readonly kind: 'ended' | 'quiet' }
  | { readonly kind: 'sends'; readonly trouble: ExplainedReceiver | null }
  | { readonly kind: 'rests'; readonly trouble: ExplainedReceiver; readonly lookAgainMs: number };

export interface ReceiverWish {
  readonly target: TargetKey;
  /** The last look has found nothing, too, and long enough ago. */
  readonly mayEnd: boolean;
  /** Ends the work early. */
  readonly signal?: AbortSignal;
}

/** How long one call works. Then operators see how it stands, if something has waited for as long. */
const budgetMs = 10_000;
/** What was missed goes at most twenty times a second, so that a receiver that has just come up is not overloaded. */
const betweenMissedMs = 50;
/** An address that has not answered with success yet is sent two a second: it may be a stranger's. */
const betweenUnprovenMs = 500;
/** Pauses while nothing can be sent now. */
const [pauseMinMs, pauseMaxMs] = [25, 1_500] as const;
/**
 * A process that stores deliveries faster than the receiver takes them tells it every two seconds (features/relay/start-workflows.ts), so
 * a call looks for as long, this often.
 */
const [lingerMs, lingerPauseMaxMs] = [2_500, 400] as const;
/** Most failures are over by then, so operators do not see them. */
const shownAfterMs = 10_000;
/** The workflow's next call comes before; after this time a relay starts it, because it was lost. */
const [holdMs, lookAgainMs, graceMs] = [120_000, 600_000, 60_000] as const;

/** Sends what waits for a target and what it has missed, batch after batch, until nothing is left or ten seconds have passed. */
export async function workReceiver(context: ReceiverContext, wish: ReceiverWish): Promise<ReceiverStep> {
  const { now } = context;
  const name = nameOf(wish.target);
  await hold(context, name);
  const until = now().getTime() + budgetMs;
  let pauseMs: number = pauseMinMs;
  let quietSince: number | null = null;
  while (now().getTime() < until && wish.signal?.aborted !== true) {
    const found = await look(context, name, wish);
    quietSince = found.isOwed ? null : (quietSince ?? now().getTime());
    const lingersUntil = (quietSince ?? Infinity) + (found.taken.isActive && !wish.mayEnd ? lingerMs : 0);
    if (now().getTime() >= lingersUntil) break;
    pauseMs = found.isMoving ? pauseMinMs : Math.min(2 * pauseMs, found.isOwed ? pauseMaxMs : lingerPauseMaxMs);
    await betweenLooks(context, { ...found, pauseMs });
  }
  if (quietSince !== null) return settle(context, name, wish);
  return { kind: 'sends', trouble: await shownTrouble(context, name) };
}

interface Found {
  readonly taken: Taken;
  readonly missed: MissedStep;
  readonly isMoving: boolean;
  /** Something waits, or is under way to a target that fails. */
  readonly isOwed: boolean;
}

async function look(context: ReceiverContext, name: TargetName, { mayEnd }: ReceiverWish): Promise<Found> {
  const taken = await sendWaiting(context, name);
  const missed = await sendMissed(context, name);
  const isMoving = taken.count > 0 || missed === 'went-on';
  const isAny = isMoving || taken.hasMore || missed !== 'none';
  if (isAny || !taken.isQueue) return { taken, missed, isMoving, isOwed: isAny };
  const isOwed = await isUnderWay(context, name);
  // After the last look it is `settle` that does so, because a changed target needs another one.
  if (!isOwed && !mayEnd) await unmark(context, name, await findReceiver(context.store, name));
  return { taken, missed, isMoving, isOwed };
}

const isUnderWay = async ({ store }: ReceiverContext, name: TargetName): Promise<boolean> =>
  (await countUnderWay(store, name, 1)) > 0;

async function shownTrouble(context: ReceiverContext, name: TargetName): Promise<ExplainedReceiver | null> {
  const seen = await withLateness(context, name);
  return seen !== null && isShown(seen, context.now().getTime()) ? troubleOf(context, name, seen) : null;
}

/** A receiver that is too slow for what waits is in trouble from when the oldest has waited, although nothing has failed. */
async function withLateness(context: ReceiverContext, name: TargetName): Promise<ReceiverState | null> {
  const seen = await findReceiver(context.store, name);
  if (seen === null || seen.troubleSince != null) return seen;
  const troubleSince = await lateSince(context, name);
  if (troubleSince === null) return seen;
  return (await writeLook(context.store, name, { seen, next: { troubleSince } })) ? { ...seen, troubleSince } : seen;
}

/** Waits for what the next look may find. */
async function betweenLooks(
  { pause }: ReceiverContext,
  { taken, missed, pauseMs }: { readonly taken: Taken; readonly missed: MissedStep; readonly pauseMs: number },
): Promise<void> {
  if (taken.count > 0 && taken.isUnproven) await pause(betweenUnprovenMs);
  else if (missed === 'went-on') await pause(betweenMissedMs);
  else if (taken.count === 0) await pause(pauseMs);
  else if (taken.isQueue) await taken.ended;
}

const nameOf = ({ target, accountId }: TargetKey): TargetName => ({
  target,
  accountId,
  endpointId: endpointOfTarget(target, accountId),
});

/** The workflow takes over a target that owes it a look. */
async function hold({ store, now }: ReceiverContext, name: TargetName): Promise<void> {
  const seen = await findReceiver(store, name);
  if (seen?.startAt != null)
    await writeLook(store, name, { seen, next: { startAt: new Date(now().getTime() + holdMs) } });
}

/** Where it has answered with success since it was marked, first attempts are made at once again. Returns whether that was so. */
async function unmark({ store, now }: ReceiverContext, name: TargetName, seen: ReceiverState | null): Promise<boolean> {
  if (seen?.queue !== true || seen.isProven !== true) return false;
  await writeLook(store, name, { seen, next: { queue: false, startAt: new Date(now().getTime() + holdMs) } });
  return true;
}

/** Nothing waits, and nothing is under way. */
async function settle(
  context: ReceiverContext,
  name: TargetName,
  { mayEnd }: Pick<ReceiverWish, 'mayEnd'>,
): Promise<ReceiverStep> {
  const { store, now } = context;
  const seen = await findReceiver(store, name);
  if (seen === null) return { kind: mayEnd ? 'ended' : 'quiet' };
  if (await unmark(context, name, seen)) return { kind: 'quiet' };
  const at = now().getTime();
  const trouble = await troubleOf(context, name, seen);
  if (trouble !== null && !isShown(seen, at)) return { kind: 'quiet' };
  if (trouble !== null) {
    await writeLook(store, name, { seen, next: { startAt: new Date(at + lookAgainMs + graceMs) } });
    return { kind: 'rests', trouble, lookAgainMs };
  }
  if (!mayEnd) return { kind: 'quiet' };
  const isEnded = await writeLook(store, name, { seen, next: { troubleSince: null, startAt: null } });
  return { kind: isEnded ? 'ended' : 'quiet' };
}

const isShown = ({ troubleSince }: ReceiverState, at: number): boolean =>
  troubleSince != null && at - troubleSince.getTime() >= shownAfterMs;

async function troubleOf(
  context: ReceiverContext,
  name: TargetName,
  { troubleSince }: ReceiverState,
): Promise<ExplainedReceiver | null> {
  return troubleSince == null ? null : describeTrouble(context, { ...name, troubleSince });
}
