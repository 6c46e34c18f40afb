import type { Config } from './config.ts';
import type { Logger } from '../platform/logger.ts';
import { listenForMetrics, type MetricsListener } from '../platform/metrics-listener.ts';
import { createMetrics } from '../platform/metric-registry.ts';

/** Buckets for answers of the API: from a local database write to a slowly sent body. */
const answerBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;
/** Buckets for steps and calls: from a local write to the slowest image or language model. */
const workBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300] as const;
/** Buckets from an event to the receiver's 2xx: at once, or after up to four waits. */
const deliveryBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800] as const;

/**
 * All metrics of a process in one table (docs/monitoring.md explains each). Labels are closed sets: never an account,
 * an item, an endpoint or a path with values.
 */
export function createServiceMetrics() {
  const metrics = createMetrics();
  return {
    expose: () => metrics.expose(),
    observeProcess: () => metrics.observeProcess(),
    names: metrics.names,
    ...apiMetrics(metrics),
    ...workMetrics(metrics),
    ...paymentMetrics(metrics),
    ...deliveryMetrics(metrics),
    clockOffset: metrics.gauge({
      name: 'itembridge_clock_offset_seconds',
      help: "By how much this process's clock is ahead of the database's, negative behind it, less what the round trip may explain",
    }),
    imageStoreReachable: metrics.gauge({
      name: 'itembridge_image_store_reachable',
      help: 'Whether this process could read from the image store when it looked last: 1 or 0',
    }),
    gauges: storedGauges(metrics),
  };
}

export type ServiceMetrics = ReturnType<typeof createServiceMetrics>;

type Metrics = ReturnType<typeof createMetrics>;

const apiMetrics = (metrics: Metrics) => ({
  requests: metrics.count({
    name: 'itembridge_http_requests_total',
    help: 'Requests answered, by route of the table, method and status',
    labels: ['route', 'method', 'status'],
  }),
  requestSeconds: metrics.duration({
    name: 'itembridge_http_request_duration_seconds',
    help: 'From the head of a request to the end of its answer',
    labels: ['route', 'method'],
    bounds: answerBounds,
  }),
  requestsInFlight: metrics.gauge({
    name: 'itembridge_http_requests_in_flight',
    help: 'Requests that are being worked on',
  }),
  requestsAborted: metrics.count({
    name: 'itembridge_http_requests_aborted_total',
    help: 'Requests whose caller went away before the whole answer was sent',
  }),
  requestLogDropped: metrics.count({
    name: 'itembridge_request_log_dropped_total',
    help: "Calls that are in no account's log, because too many waited or a write failed",
  }),
  refusals: metrics.count({
    name: 'itembridge_http_refusals_total',
    help: 'Answers in the error form, by their code; RATE_LIMITED are the refusals of the rate limits',
    labels: ['code'],
  }),
});

const workMetrics = (metrics: Metrics) => ({
  startsLost: metrics.count({
    name: 'itembridge_workflow_starts_lost_total',
    help: 'Starts of workflows that failed or had no place in the queue; a relay starts them again when their rows are due',
  }),
  activities: metrics.count({
    name: 'itembridge_activities_total',
    help: 'Activities ended, by their name; failed ones are tried again',
    labels: ['activity', 'outcome'],
  }),
  activitySeconds: metrics.duration({
    name: 'itembridge_activity_duration_seconds',
    help: 'How long one try of an activity took',
    labels: ['activity'],
    bounds: workBounds,
  }),
  itemAdvances: metrics.count({
    name: 'itembridge_item_advances_total',
    help: 'Looks at an item, by what comes next: settled, wait, or one of the long steps',
    labels: ['next'],
  }),
  itemWaits: metrics.count({
    name: 'itembridge_item_waits_total',
    help: 'Waits of items that began or were looked at again, by what is waited for',
    labels: ['reason'],
  }),
  loopRounds: metrics.count({
    name: 'itembridge_loop_rounds_total',
    help: "Rounds of the worker's loops, by whether they found something to do",
    labels: ['loop', 'outcome'],
  }),
  loopSeconds: metrics.duration({
    name: 'itembridge_loop_round_duration_seconds',
    help: "How long a round of the worker's loops took",
    labels: ['loop'],
    bounds: workBounds,
  }),
  marketplaceCalls: metrics.count({
    name: 'itembridge_marketplace_calls_total',
    help: 'Calls to the marketplace that the budget let through, by how they ended',
    labels: ['method', 'outcome'],
  }),
  marketplaceSeconds: metrics.duration({
    name: 'itembridge_marketplace_call_duration_seconds',
    help: 'How long a call to the marketplace took',
    labels: ['method'],
    bounds: workBounds,
  }),
});

const paymentMetrics = (metrics: Metrics) => ({
  mails: metrics.count({
    name: 'itembridge_mails_total',
    help: 'Attempts to send a mail, by their outcome; postponed ones are tried again',
    labels: ['outcome'],
  }),
  paymentCalls: metrics.count({
    name: 'itembridge_payment_calls_total',
    help: 'Calls to the payment processor, by how they ended',
    labels: ['call', 'outcome'],
  }),
});

const deliveryMetrics = (metrics: Metrics) => ({
  attempts: metrics.count({
    name: 'itembridge_delivery_attempts_total',
    help: 'Attempts to deliver an event, by outcome and their number within the delivery (1 to 5)',
    labels: ['outcome', 'attempt'],
  }),
  attemptSeconds: metrics.duration({
    name: 'itembridge_delivery_attempt_duration_seconds',
    help: 'How long a receiver took to answer an attempt',
    labels: ['outcome'],
    bounds: answerBounds,
  }),
  deliveriesEnded: metrics.count({
    name: 'itembridge_deliveries_ended_total',
    help: 'Deliveries that an attempt ended: succeeded, or given up after the last one',
    labels: ['state'],
  }),
  deliverySeconds: metrics.duration({
    name: 'itembridge_delivery_delay_seconds',
    help: 'From the making of a delivery to the 2xx that ended it, waits between attempts included',
    bounds: deliveryBounds,
  }),
  endpointChanges: metrics.count({
    name: 'itembridge_endpoint_changes_total',
    help: 'Webhook endpoints that were warned about or disabled because of failures',
    labels: ['change'],
  }),
});

/** Values of the whole service. Each worker reads the same ones from the database, so aggregate with max, never with sum. */
const storedGauges = (metrics: Metrics) => ({
  ...storedItemGauges(metrics),
  deliveriesUnfinished: metrics.gauge({
    name: 'itembridge_deliveries_unfinished',
    help: 'Deliveries that have not ended, counted up to 10000',
  }),
  oldestDeliverySeconds: metrics.gauge({
    name: 'itembridge_deliveries_oldest_age_seconds',
    help: 'Age of the oldest delivery that has not ended, of the 1000 that are due first; 0 without any',
  }),
  endpoints: metrics.gauge({
    name: 'itembridge_webhook_endpoints',
    help: 'Webhook endpoints, active and disabled, each counted up to 10000',
    labels: ['state'],
  }),
  bulkSyncs: metrics.gauge({
    name: 'itembridge_bulk_syncs_unfinished',
    help: 'Bulk syncs that have not ended, counted up to 10000',
  }),
  oldestBulkSyncSeconds: metrics.gauge({
    name: 'itembridge_bulk_syncs_oldest_age_seconds',
    help: 'Age of the oldest bulk sync that has not ended, of the 1000 that are due first; 0 without any',
  }),
  connections: metrics.gauge({
    name: 'itembridge_marketplace_connections',
    help: 'Accounts connected to the marketplace, and those whose token has expired, each counted up to 10000',
    labels: ['state'],
  }),
  budgetLeft: metrics.gauge({
    name: 'itembridge_marketplace_budget_left_ratio',
    help: "Part of the day's calls (UTC) of a method that is left, 0 when the marketplace said so; absent when nothing is counted",
    labels: ['method'],
  }),
  readAt: metrics.gauge({
    name: 'itembridge_gauges_read_timestamp_seconds',
    help: 'When the gauges that come from the database were read last, Unix time',
  }),
});

const storedItemGauges = (metrics: Metrics) => ({
  itemsOwed: metrics.gauge({
    name: 'itembridge_items_owed',
    help: 'Items with work owed, waiting and resting ones included, counted up to 10000',
  }),
  oldestOwedSeconds: metrics.gauge({
    name: 'itembridge_items_owed_oldest_age_seconds',
    help: 'How long the oldest work has been owed without waiting for anything; 0 without any',
  }),
  itemsWaiting: metrics.gauge({
    name: 'itembridge_items_waiting',
    help: 'Items that wait, by what for, counted up to 10000 in all',
    labels: ['reason'],
  }),
  itemsResting: metrics.gauge({
    name: 'itembridge_items_resting',
    help: 'Items that came to rest with a problem, by what it is, counted up to 10000 in all',
    labels: ['reason'],
  }),
  backlog: metrics.gauge({
    name: 'itembridge_items_backlog',
    help: 'Items of bulk syncs and batches that wait for their turn, counted up to 10000',
  }),
  oldestBacklogSeconds: metrics.gauge({
    name: 'itembridge_items_backlog_oldest_age_seconds',
    help: 'How long the item that waits longest for its turn has waited, of 1000 looked at; 0 without any',
  }),
});

export interface ExposeOptions {
  readonly config: Pick<Config, 'metrics'>;
  readonly logger: Logger;
  /** Further text from another source in this process. If it fails, the rest stays readable. */
  readonly more?: () => Promise<string>;
  /** Whether this process does its work: the answer of `/readyz` on the same port. */
  readonly isReady?: () => boolean;
}

/** Serves the metrics of this process on METRICS_PORT; returns undefined without that setting. */
export async function exposeMetrics(
  metrics: ServiceMetrics,
  { config, logger, more, isReady }: ExposeOptions,
): Promise<MetricsListener | undefined> {
  const { host, port } = config.metrics;
  if (port === null) return undefined;
  metrics.observeProcess();
  const readMore = (): Promise<string> =>
    more === undefined
      ? Promise.resolve('')
      : more().catch((error: unknown) => {
          logger.warn({ err: error }, 'metrics.part_not_read');
          return '';
        });
  const read = async (): Promise<string> => (await Promise.all([metrics.expose(), readMore()])).join('\n');
  const listener = await listenForMetrics({ host, port, logger, read, isReady });
  logger.info({ url: listener.url }, 'metrics.listening');
  return listener;
}
