import { setTimeout as pause } from 'node:timers/promises';
import { groupBy } from '../rules/group-by.ts';
import {
  afterDelivered,
  afterGivenUp,
  afterProof,
  warningOf,
  type EndpointLife,
} from './rules/disable-after-failures.ts';
import { attemptsMax, attemptTimeoutMs, waitBefore } from './rules/retry-schedule.ts';
import { Batcher } from '../../platform/concurrency/batcher.ts';
import { isStoreUnavailable } from '../../platform/database/connection.ts';
import type { Session } from '../../platform/database/transaction.ts';
import {
  attemptIdOf,
  completeTogether,
  continueDelivery,
  endDelivery,
  type Continuation,
  type DeliveryAttempt,
} from './store/delivery-attempts.ts';
import { isFirst, type Delivery } from './store/deliveries.ts';
import { giveBack } from './store/waiting-deliveries.ts';
import { findReceiver, markQueue, oweLook, prove } from './store/receiver-state.ts';
import { changeEndpointLife } from './store/webhook-endpoints.ts';
import { countFailures } from './store/webhook-settings.ts';
import {
  isAboutMember,
  type AttemptResult,
  type DeliveryContext,
  type FailedAttempt,
  type MadeAttempt,
  type OutcomeStore,
} from './prepare-attempt.ts';

type RecordContext = Pick<DeliveryContext, 'store' | 'starts' | 'logger' | 'observer' | 'now'>;

/** How long storing a known outcome is tried. After that another process may treat the attempt as interrupted. */
export const recordingMaxMs = attemptTimeoutMs;

/** The workflow's own timer comes first; after this time a relay starts it, because it was lost. */
const startGraceMs = 5_000;

/**
 * Successes within this time are recorded by one write. Nothing waits for it, because the receiver's slot is free
 * already. After a crash, deliveries answered within this time are sent once more.
 */
const gatheredMs = 20;

/** A commit that hangs in the database delays the outcomes in it for `maxMs`, and later ones for a second. */
const together = {
  sizeMax: 100,
  atOnce: 2,
  begin: { afterMs: gatheredMs },
  patience: { countedMs: 1_000, underWayMax: 20, waitMaxMs: recordingMaxMs, commitMaxMs: 2 * recordingMaxMs },
} as const;

/** Stores outcomes, many together where each affects only its own delivery. One for each process. */
export class Outcomes implements OutcomeStore {
  readonly #context: RecordContext;
  readonly #simple: Batcher<MadeAttempt, null>;
  readonly #unsent: Batcher<Delivery, null>;

  constructor(context: RecordContext) {
    this.#context = context;
    this.#simple = new Batcher({ ...together, commit: (made) => recordTogether(context, made) });
    this.#unsent = new Batcher({ ...together, commit: (unsent) => giveBackAll(context, unsent) });
  }

  async record(made: MadeAttempt): Promise<AttemptResult> {
    if (hasFailed(made) && !isRetried(made)) {
      await this.giveUp(made);
      return 'closed';
    }
    if (isSimple(made)) await this.#recordSoon(made);
    else await recordAlone(this.#context, made);
    return hasFailed(made) ? 'failed' : 'closed';
  }

  async giveUp(made: FailedAttempt): Promise<void> {
    const at = this.#context.now();
    const attempt = logRecord(made, at);
    const alsoWrite = (session: Session): Promise<void> => noteEnd(this.#context, made, { at, session });
    const end = { attempt, state: 'given_up', alsoWrite } as const;
    await untilStored(() => endDelivery(this.#context.store, made.delivery, end), recordingMaxMs);
    if (isRetried(made)) tellEnd(this.#context, made.delivery, { state: 'given_up', at });
    else tell(this.#context, made, { attempt, state: 'given_up' });
    if (made.delivery.purpose === 'event') this.#context.starts.receiverSoon(made.delivery);
  }

  async giveBack(delivery: Delivery): Promise<void> {
    await this.#unsent.add(delivery);
  }

  /** A failure is recorded at once, because the next attempt depends on it. */
  #recordSoon(made: MadeAttempt): Promise<null> {
    const recorded = this.#simple.add(made);
    if (hasFailed(made)) this.#simple.flush();
    return recorded;
  }
}

const hasFailed = (made: MadeAttempt): made is FailedAttempt => made.outcome.kind === 'failed';

/** 410 ends a delivery at once. A test is tried once, because its caller waits for it. */
const isRetried = ({ delivery, outcome }: FailedAttempt): boolean => !outcome.gone && delivery.purpose !== 'test';

/** Whether an outcome affects only its own delivery. The first success proves its target, the first failure marks it. */
const isSimple = ({ delivery, outcome, destination }: MadeAttempt): boolean =>
  outcome.kind === 'succeeded'
    ? isFirst(delivery) && destination?.failCount === 0 && destination.isProven === true
    : delivery.purpose !== 'event' || destination === null || destination.queue === true;

async function recordTogether(context: RecordContext, made: readonly MadeAttempt[]): Promise<null[]> {
  const at = context.now();
  const ends = made.map((one) => ({
    one,
    attempt: logRecord(one, at),
    goesOn: hasFailed(one) ? continuation(one.delivery, at) : null,
  }));
  await untilStored(() => completeTogether(context.store, ends, at), recordingMaxMs);
  return ends.map(({ one, attempt, goesOn }) => {
    tell(context, one, { attempt, state: goesOn === null ? 'succeeded' : 'pending' });
    return null;
  });
}

/** After the last attempt nothing is waited for: the workflow counts the failure. */
function continuation({ attempts }: Delivery, at: Date): Continuation {
  const waitMs = attempts >= attemptsMax ? 0 : waitBefore(attempts + 1);
  return { retryAt: new Date(at.getTime() + waitMs), startAt: new Date(at.getTime() + waitMs + startGraceMs) };
}

async function recordAlone(context: RecordContext, made: MadeAttempt): Promise<void> {
  const { store, starts } = context;
  const { delivery } = made;
  const at = context.now();
  const attempt = logRecord(made, at);
  if (!hasFailed(made)) {
    const alsoWrite = async (session: Session): Promise<void> => {
      if (made.destination?.isProven !== true) await prove(store, delivery, session);
      await noteEnd(context, made, { at, session });
    };
    await untilStored(() => endDelivery(store, delivery, { attempt, state: 'succeeded', alsoWrite }), recordingMaxMs);
    tell(context, made, { attempt, state: 'succeeded' });
    return;
  }
  const target = { isMarked: false };
  const mark = async (session: Session): Promise<void> => {
    target.isMarked = await markQueue(store, delivery, { now: at, session });
  };
  const end = { attempt, goesOn: continuation(delivery, at) };
  await untilStored(() => continueDelivery(store, end, mark), recordingMaxMs);
  tell(context, made, { attempt, state: 'pending' });
  if (target.isMarked) starts.receiverSoon(delivery);
}

async function giveBackAll({ store, starts }: RecordContext, unsent: readonly Delivery[]): Promise<null[]> {
  // All deliveries of a transaction have the date of their beginning in common.
  for (const begun of groupBy(unsent, (one) => `${one.accountId} ${one.updatedAt.getTime()}`).values()) {
    const [first] = begun;
    const ids = begun.map(({ _id }) => _id);
    if (first !== undefined) await giveBack(store, { accountId: first.accountId, ids }, first.updatedAt);
  }
  for (const [one] of groupBy(unsent, ({ target }) => target).values()) if (one !== undefined) starts.wakeReceiver(one);
  return unsent.map(() => null);
}

/** Only new events count in `failCount`. A successful test or redelivery proves that the endpoint answers again. */
async function noteEnd(
  context: RecordContext,
  { delivery, outcome }: MadeAttempt,
  { at: now, session }: { at: Date; session: Session },
): Promise<void> {
  const { store } = context;
  const { purpose, endpointId, accountId } = delivery;
  const failed = outcome.kind === 'failed';
  if (purpose === 'recovery' || (purpose !== 'event' && failed)) return;
  if (failed) await markQueue(store, delivery, { now, session });
  // The last of several failures disables the target, and a success ends its trouble: its workflow looks at once.
  if (failed || (await findReceiver(store, delivery))?.troubleSince != null)
    await oweLook(store, delivery, { now, session });
  if (endpointId === null) return countFailures(store, accountId, { failed, session });
  const next = (life: EndpointLife): EndpointLife => {
    if (failed) return afterGivenUp(life, { error: outcome.error, now });
    return purpose === 'event' ? afterDelivered(life, now) : afterProof(life, now);
  };
  const told = (life: EndpointLife): EndpointLife => tellChange(context, endpointId, { life, next: next(life) });
  await changeEndpointLife(store, endpointId, { next: told, session });
}

function logRecord({ delivery, outcome, sent }: MadeAttempt, at: Date): DeliveryAttempt {
  return {
    _id: attemptIdOf(delivery),
    accountId: delivery.accountId,
    deliveryId: delivery._id,
    endpointId: delivery.endpointId,
    eventId: delivery.eventId,
    externalId: delivery.externalId,
    ...(isAboutMember(delivery) && { aboutAccountId: delivery.aboutAccountId }),
    eventType: delivery.eventType,
    attempt: delivery.attempts,
    status: outcome.kind === 'succeeded' ? 'success' : 'failed',
    errorMessage: outcome.kind === 'succeeded' ? null : outcome.error,
    httpStatus: outcome.httpStatus,
    durationMs: outcome.durationMs,
    responseStart: outcome.responseStart,
    ...(sent !== undefined && sent.body !== delivery.body && { body: sent.body }),
    ...(sent !== undefined && { headers: sent.headers }),
    createdAt: at,
  };
}

/**
 * One log line for each attempt. It leaves out what was sent and answered, because that is the partner's. A success is
 * logged at debug level only: the delivery log has it, and there are thousands a minute.
 */
function tell(
  context: RecordContext,
  { delivery }: MadeAttempt,
  { attempt, state }: { readonly attempt: DeliveryAttempt; readonly state: 'pending' | 'succeeded' | 'given_up' },
): void {
  const { _id: attemptId, responseStart: _response, body: _body, headers: _headers, createdAt: at, ...line } = attempt;
  const level = attempt.status === 'success' ? 'debug' : 'info';
  context.logger[level]({ attemptId, ...line, state, requestId: delivery.requestId ?? null }, 'delivery.attempted');
  context.observer?.attempted(attempt);
  if (state !== 'pending') context.observer?.ended(delivery, { state, at });
}

/** For a delivery whose last attempt was told before. */
function tellEnd({ logger, observer }: RecordContext, delivery: Delivery, end: { state: 'given_up'; at: Date }): void {
  const { _id: deliveryId, accountId, endpointId, eventId, externalId, attempts, requestId = null } = delivery;
  const line = { deliveryId, accountId, endpointId, eventId, externalId, attempts, state: end.state, requestId };
  logger.info(line, 'delivery.given_up');
  observer?.ended(delivery, end);
}

/** An operator should look when an endpoint is about to be disabled. */
function tellChange(
  { logger, observer }: RecordContext,
  endpointId: string,
  { life, next }: { life: EndpointLife; next: EndpointLife },
): EndpointLife {
  const { failCount, lastError } = next;
  const isWarned = (warningOf(next)?.level ?? 0) > (warningOf(life)?.level ?? 0);
  const change = life.active && !next.active ? 'disabled' : isWarned ? 'warned' : null;
  if (change !== null) {
    logger.warn({ endpointId, failCount, lastError }, `endpoint.${change}`);
    observer?.endpointChanged(change);
  }
  return next;
}

const firstPauseMs = 100;
const pauseMaxMs = 1_000;

/**
 * Repeats a write while the database is unreachable, for `maxMs` at most; then throws the last error. Only for writes
 * that recognise their own earlier effect, because the answer of a try may have been lost.
 */
export async function untilStored<Result>(write: () => Promise<Result>, maxMs: number): Promise<Result> {
  const until = performance.now() + maxMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, pauseMaxMs)) {
    try {
      return await write();
    } catch (error) {
      if (!isStoreUnavailable(error) || performance.now() + pauseMs > until) throw error;
      await pause(pauseMs);
    }
  }
}
