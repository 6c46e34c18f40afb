import { setTimeout as pause } from 'node:timers/promises';
import { dueFrom } from '../../core/due.ts';
import {
  afterDelivered,
  afterGivenUp,
  afterProof,
  warningOf,
  type EndpointLife,
} from '../../core/webhooks/endpoint-life.ts';
import { attemptsMax, attemptTimeoutMs, waitAfterFailedAttemptMs } from '../../core/webhooks/delivery.ts';
import type { AttemptOutcome, PreparedAttempt } from '../../gateways/webhook-sender/port.ts';
import { isStoreUnavailable } from '../../store/database/connection.ts';
import type { Session } from '../../store/database/transaction.ts';
import {
  attemptIdOf,
  completeTogether,
  endDelivery,
  type Continuation,
  type DeliveryAttempt,
  type End,
} from '../../store/deliveries/delivery-attempts.ts';
import { isFirst, type Delivery } from '../../store/deliveries/deliveries.ts';
import { hurryTrouble, noteTrouble } from '../../store/webhooks/receivers-in-trouble.ts';
import { changeEndpointLife } from '../../store/webhooks/webhook-endpoints.ts';
import { countFailures } from '../../store/webhooks/webhook-settings.ts';
import { isAboutMember, type DeliveryContext, type DeliveryStep } from './prepare-attempt.ts';

/** An attempt that was made; its delivery already counts it. */
export interface MadeAttempt {
  readonly delivery: Delivery;
  readonly outcome: AttemptOutcome;
  /** What was sent beside the body; absent where another process sent it. */
  readonly headers?: PreparedAttempt['headers'];
  /** Deliveries given up in a row before it, as far as known; a success must reset them. */
  readonly failCount: number;
}

/** How long storing a known outcome is tried. After that another process may treat the attempt as interrupted. */
export const recordingMaxMs = attemptTimeoutMs;

/** The workflow's own timer comes first; after this time the dispatcher takes over, because the workflow was lost. */
const retryGraceMs = 10_000;

/** Whether an outcome affects only its own delivery, so that it can be recorded together with others. */
export const isSimple = ({ delivery, outcome, failCount }: MadeAttempt): boolean =>
  outcome.kind === 'succeeded' ? isFirst(delivery) && failCount === 0 : waitAfter(delivery, outcome) !== null;

/** 410 ends a delivery at once. */
const waitAfter = ({ attempts, purpose }: Delivery, outcome: AttemptOutcome): number | null =>
  outcome.kind === 'succeeded' || outcome.gone ? null : waitAfterFailedAttemptMs(attempts, purpose);

/**
 * Writes the outcomes of simple attempts, and returns what is next for each. A short outage of the database is waited
 * for.
 */
export async function recordSimple(context: DeliveryContext, made: readonly MadeAttempt[]): Promise<DeliveryStep[]> {
  const at = context.now();
  const ends = made.map((one) => ({
    made: one,
    attempt: logRecord(one, at),
    waitMs: waitAfter(one.delivery, one.outcome),
  }));
  const rows = ends.map(({ attempt, waitMs }) => ({
    attempt,
    goesOn: waitMs === null ? null : continuation(at, waitMs),
  }));
  await untilStored(() => completeTogether(context.store, rows, at), recordingMaxMs);
  return ends.map(({ made: { delivery }, attempt, waitMs }): DeliveryStep => {
    tell(context, { attempt, state: waitMs === null ? 'succeeded' : 'pending', delivery });
    if (waitMs === null) return { kind: 'closed' };
    const lastError = `attempt ${delivery.attempts} of ${attemptsMax}: ${attempt.errorMessage ?? ''}`;
    return { kind: 'wait', forMs: waitMs, lastError };
  });
}

function continuation(at: Date, waitMs: number): Continuation {
  const retryAt = new Date(at.getTime() + waitMs);
  return { retryAt, due: dueFrom('workflow', new Date(retryAt.getTime() + retryGraceMs)) };
}

/** Writes the outcome of any attempt, and returns what is next. */
export async function recordOutcome(context: DeliveryContext, made: MadeAttempt): Promise<DeliveryStep> {
  if (isSimple(made)) return (await recordSimple(context, [made]))[0] ?? { kind: 'closed' };
  const at = context.now();
  const { delivery, outcome } = made;
  const attempt = logRecord(made, at);
  const state = outcome.kind === 'succeeded' ? 'succeeded' : 'given_up';
  const end: End = { attempt, state, alsoWrite: (session) => noteEnd(context, made, { at, session }) };
  await untilStored(() => endDelivery(context.store, delivery, end), recordingMaxMs);
  tell(context, { attempt, state, delivery });
  return { kind: 'closed' };
}

/** Only new events count in `failCount`. A successful test or redelivery proves that the endpoint answers again. */
async function noteEnd(
  context: DeliveryContext,
  { delivery, outcome }: MadeAttempt,
  { at: now, session }: { at: Date; session: Session },
): Promise<void> {
  const { store } = context;
  const { purpose, endpointId, accountId, target } = delivery;
  const failed = outcome.kind === 'failed';
  if (purpose === 'recovery' || (purpose !== 'event' && failed)) return;
  if (failed) await noteTrouble(store, { target, accountId, endpointId }, { now, session });
  else await hurryTrouble(store, target, { now, session });
  if (endpointId === null) return countFailures(store, accountId, { failed, session });
  const next = (life: EndpointLife): EndpointLife => {
    if (failed) return afterGivenUp(life, { error: outcome.error, now });
    return purpose === 'event' ? afterDelivered(life, now) : afterProof(life, now);
  };
  const told = (life: EndpointLife): EndpointLife => tellChange(context, endpointId, { life, next: next(life) });
  await changeEndpointLife(store, endpointId, { next: told, session });
}

function logRecord({ delivery, outcome, headers }: MadeAttempt, at: Date): DeliveryAttempt {
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
    ...(delivery.changedBody !== null && { body: delivery.changedBody }),
    ...(headers !== undefined && { headers }),
    createdAt: at,
  };
}

type Recorded = Parameters<NonNullable<DeliveryContext['observer']>['attempted']>[0];

/**
 * One log line for each attempt. It leaves out what was sent and answered, because that is the partner's. A success is
 * logged at debug level only: the delivery log has it, and there are thousands a minute.
 */
function tell({ logger, observer }: DeliveryContext, recorded: Recorded): void {
  const { attempt, state, delivery } = recorded;
  const {
    _id: attemptId,
    responseStart: _response,
    body: _body,
    headers: _headers,
    createdAt: _createdAt,
    ...line
  } = attempt;
  const level = attempt.status === 'success' ? 'debug' : 'info';
  logger[level]({ attemptId, ...line, state, requestId: delivery.requestId ?? null }, 'delivery.attempted');
  observer?.attempted(recorded);
}

/** An operator should look when an endpoint is about to be disabled. */
function tellChange(
  { logger, observer }: DeliveryContext,
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
