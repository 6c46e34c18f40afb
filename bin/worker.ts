import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { exposeMetrics, createServiceMetrics } from '../compose/service-metrics.ts';
import { loadWorkerConfig } from '../compose/config.ts';
import { createLogger, type Logger } from '../platform/logger.ts';
import { onShutdown } from '../platform/shutdown.ts';
import { openTracing } from '../platform/open-tracing.ts';
import { runWorkers } from '../workers/run-workers.ts';
import { openSdkMetrics } from '../workers/sdk-metrics.ts';

const config = loadWorkerConfig();
const logger = createLogger('worker', config.logLevel);
// This process handles the signals itself. Workers that stop on their own would leave a process without work.
const sdkMetrics = config.metrics.port === null ? undefined : await openSdkMetrics();
// The native part of the SDK would print coloured plain text, so its lines are forwarded to our logger.
const logging = { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) } as const;
const telemetryOptions = { logging, ...sdkMetrics?.telemetryOptions };
Runtime.install({ logger: sdkLogger(logger), shutdownSignals: [], telemetryOptions });
const metrics = createServiceMetrics();
const tracing = await openTracing(config.tracing.url, 'itembridge-worker');
let isReady = (): boolean => false;
// Before the workers, which may have to wait for a migration: meanwhile the process lives and is not ready.
const numbers = await exposeMetrics(metrics, {
  config,
  logger,
  isReady: () => isReady(),
  ...(sdkMetrics && { more: sdkMetrics.read }),
});
const workers = await runWorkers(config, logger, { metrics, tracing });
({ isReady } = workers);
const shutDown = onShutdown(logger, async () => {
  await workers.stop();
  await Promise.all([numbers?.close(), tracing?.close()]);
});
logger.info({ taskQueue: config.temporal.taskQueue }, 'worker.started');
process.send?.({ ready: true, ...(numbers && { metricsUrl: numbers.url }) });
workers.done.catch(async (error: unknown) => {
  logger.fatal({ err: error }, 'worker.failed');
  await shutDown('worker failed', 1);
});

/**
 * Log lines of the SDK in our format; its info lines are only visible at debug level. Its own debug lines are left out: they hold
 * whole activations, with all arguments and results of workflows.
 */
function sdkLogger(own: Logger): NonNullable<Parameters<typeof Runtime.install>[0]['logger']> {
  const quiet = (message: string, meta?: object): void => own.debug(ofOurs(meta), message);
  const loud = (message: string, meta?: object): void => own.warn(ofOurs(meta), message);
  const silent = (): void => undefined;
  return {
    trace: silent,
    debug: silent,
    info: quiet,
    warn: loud,
    error: loud,
    log: (level, message, meta) => {
      if (level === 'WARN' || level === 'ERROR') loud(message, meta);
      else if (level === 'INFO') quiet(message, meta);
    },
  };
}

/** Our lines have their error under `err`, where its type and message are logged; under another name it would be `{}`. */
const ofOurs = (meta: object | undefined): object =>
  meta !== undefined && 'error' in meta && meta.error instanceof Error
    ? { ...meta, error: undefined, err: meta.error }
    : { ...meta };
