import { performance } from 'node:perf_hooks';
import type { ItemActivities, NamedItem } from '../activities/activities.ts';
import type { Item, ItemKey } from '../features/items/rules/item.ts';
import { MarketplaceError, type CallGate } from '../gateways/marketplace/port.ts';
import { PaymentsUnavailable, type Payments } from '../gateways/payments/port.ts';
import type { WebhookSender } from '../gateways/webhook-sender/port.ts';
import type { Logger } from '../platform/logger.ts';
import type { RequestObserver } from '../platform/request-observer.ts';
import { type Tracing, inSpan } from '../platform/tracing.ts';
import type { DeliveryObserver } from '../features/webhooks/prepare-attempt.ts';
import type { Advance } from '../features/items/advance-item.ts';
import type { Foundation } from './foundation.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/**
 * Counts every request, and opens a span for it. With trusted callers the span continues their trace (`traceparent`). Other
 * callers could otherwise decide which traces are kept.
 */
export function observeRequests(
  metrics: ServiceMetrics,
  tracing: Tracing | undefined,
  { trustsCallers }: { readonly trustsCallers: boolean },
): RequestObserver {
  let inFlight = 0;
  const changeInFlight = (by: number): void => {
    inFlight += by;
    metrics.requestsInFlight.set({}, inFlight);
  };
  return {
    begin: ({ method, headers }) => {
      changeInFlight(1);
      const span = tracing?.open({ name: method, kind: 'server', parent: trustsCallers ? carrierOf(headers) : {} });
      return {
        trace: span?.run(() => tracing?.carrier()),
        run: (next) => (span === undefined ? next() : span.run(next)),
        end: ({ route, status, code, isAborted, failure, seconds }) => {
          changeInFlight(-1);
          const labels = { route, method: knownMethod(method) };
          metrics.requests.add({ ...labels, status: String(status) });
          metrics.requestSeconds.observe(labels, seconds);
          if (isAborted) metrics.requestsAborted.add({});
          if (code !== undefined) metrics.refusals.add({ code });
          span?.end({
            name: `${method} ${route}`,
            attributes: { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
            ...(status >= 500 && { error: failure ?? new Error(String(status)) }),
          });
        },
      };
    },
  };
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** A fixed set of labels, because callers may send any method. */
const knownMethod = (method: string): string => (methods.has(method) ? method : 'other');

function carrierOf(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const { traceparent, tracestate } = headers;
  return {
    ...(typeof traceparent === 'string' && { traceparent }),
    ...(typeof tracestate === 'string' && { tracestate }),
  };
}

export const observeDeliveries = (metrics: ServiceMetrics): DeliveryObserver => ({
  attempted: ({ status, attempt, durationMs }) => {
    metrics.attempts.add({ outcome: status, attempt: String(attempt) });
    metrics.attemptSeconds.observe({ outcome: status }, durationMs / 1_000);
  },
  ended: ({ createdAt }, { state, at }) => {
    metrics.deliveriesEnded.add({ state });
    const delaySeconds = (at.getTime() - createdAt.getTime()) / 1_000;
    if (state === 'succeeded') metrics.deliverySeconds.observe({}, Math.max(0, delaySeconds));
  },
  endpointChanged: (change) => metrics.endpointChanges.add({ change }),
});

/** Makes each attempt a span. No trace header is sent, because the trace is internal. */
export const tracedSender = (sender: WebhookSender, tracing: Tracing | undefined): WebhookSender =>
  tracing === undefined
    ? sender
    : {
        send: (attempt) => {
          const { trace: parent } = attempt;
          const span = { name: 'webhook POST', kind: 'client', ...(parent !== undefined && { parent }) } as const;
          return inSpan(tracing, span, () => sender.send(attempt));
        },
      };

interface Observers {
  readonly metrics: ServiceMetrics;
  readonly tracing: Tracing | undefined;
}

/** Counts every marketplace call by its operation. It stands within the budget, so refused calls are not counted. */
export const observedCalls =
  ({ metrics, tracing }: Observers): CallGate =>
  async ({ operation: method }, send) => {
    const startedAt = performance.now();
    const count = (outcome: string): void => {
      metrics.marketplaceCalls.add({ method, outcome });
      metrics.marketplaceSeconds.observe({ method }, (performance.now() - startedAt) / 1_000);
    };
    try {
      const result = await inSpan(tracing, { name: `marketplace ${method}`, kind: 'client' }, send);
      count('ok');
      return result;
    } catch (error) {
      count(error instanceof MarketplaceError ? error.kind : 'bug');
      throw error;
    }
  };

/** Counts every call to the payment processor. Events that the processor sends are not counted. */
export function observedPayments(payments: Payments, { paymentCalls }: Pick<ServiceMetrics, 'paymentCalls'>): Payments {
  const seen = async <Result>(call: string, work: () => Promise<Result>): Promise<Result> => {
    try {
      const result = await work();
      paymentCalls.add({ call, outcome: 'ok' });
      return result;
    } catch (error) {
      paymentCalls.add({ call, outcome: error instanceof PaymentsUnavailable ? error.problem : 'other' });
      throw error;
    }
  };
  return {
    createCustomer: (...input) => seen('create_customer', () => payments.createCustomer(...input)),
    createCheckout: (...input) => seen('create_checkout', () => payments.createCheckout(...input)),
    readCheckout: (...input) => seen('read_checkout', () => payments.readCheckout(...input)),
    listRunning: (...input) => seen('list_running', () => payments.listRunning(...input)),
    readEvent: (...input) => payments.readEvent(...input),
  };
}

type Activity = (...input: never[]) => Promise<unknown>;

/** The activities, each try of each counted and timed. */
export function countedActivities<Activities extends { [Name in keyof Activities]: Activity }>(
  activities: Activities,
  metrics: Pick<ServiceMetrics, 'activities' | 'activitySeconds'>,
): Activities {
  const counted = Object.entries<Activity>(activities).map(([activity, run]) => [
    activity,
    async (...input: never[]): Promise<unknown> => {
      const startedAt = performance.now();
      let outcome = 'failed';
      try {
        const result = await run(...input);
        outcome = 'completed';
        return result;
      } finally {
        metrics.activities.add({ activity, outcome });
        metrics.activitySeconds.observe({ activity }, (performance.now() - startedAt) / 1_000);
      }
    },
  ]);
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the same names with functions of the same types
  return Object.fromEntries(counted) as Activities;
}

/** Writes one log line per look at an item that found work. */
export const advanceLogger =
  ({ logger, metrics }: Pick<Foundation, 'logger' | 'metrics'>) =>
  (item: Item, advance: Advance): void => {
    const { id, accountId, externalId, requestId = null, revision } = item;
    const waitingFor = advance.kind === 'wait' ? { waitingFor: advance.waitingFor, forMs: advance.forMs } : {};
    const line = { itemId: id, accountId, externalId, requestId, revision, next: advance.kind, ...waitingFor };
    // Every look at a healthy item writes such a line, so only waits are logged above debug level.
    logger[advance.kind === 'wait' ? 'info' : 'debug'](line, 'item.advanced');
    metrics.itemAdvances.add({ next: advance.kind });
    if (advance.kind === 'wait') metrics.itemWaits.add({ reason: advance.waitingFor });
  };

type LoggedItem = Pick<Item, 'accountId' | 'externalId' | 'requestId'>;

interface StepLog {
  readonly find: (item: ItemKey) => Promise<LoggedItem | null>;
  readonly logger: Logger;
}

/** The long steps of an item. Each writes one log line, which names the request that caused it. */
export function loggedSteps(activities: ItemActivities, log: StepLog): ItemActivities {
  const logged = stepLogger(log);
  return {
    ...activities,
    processImages: (item) => logged('process-images', item, () => activities.processImages(item)),
    enrichItem: (item) => logged('enrich', item, () => activities.enrichItem(item)),
    prepareListing: (work) => logged('prepare-listing', work, () => activities.prepareListing(work)),
    goLive: (work) => logged('go-live', work, () => activities.goLive(work)),
    sendPrice: (work) => logged('send-price', work, () => activities.sendPrice(work)),
    takeDown: (work) => logged('take-down', work, () => activities.takeDown(work)),
  };
}

const stepLogger =
  ({ find, logger }: StepLog) =>
  async <Result>(step: string, { accountId, itemId }: NamedItem, run: () => Promise<Result>): Promise<Result> => {
    const startedAt = performance.now();
    // Read before the step, so the line names its cause and not a later write.
    const item = await find({ accountId, id: itemId }).catch(() => null);
    const write = (level: 'info' | 'warn', more: object): void => {
      const { externalId, requestId = null } = item ?? {};
      const durationMs = Math.round(performance.now() - startedAt);
      logger[level]({ itemId, accountId, externalId, requestId, step, durationMs, ...more }, 'item.step_ended');
    };
    try {
      const result = await run();
      write('info', { outcome: result === 'crowded' ? result : 'completed' });
      return result;
    } catch (error) {
      write('warn', { outcome: 'failed', err: error });
      throw error;
    }
  };
