import { composeApi } from '../compose/api.ts';
import { exposeMetrics, createServiceMetrics } from '../compose/service-metrics.ts';
import { loadConfig } from '../compose/config.ts';
import { createLogger } from '../platform/logger.ts';
import { onShutdown } from '../platform/shutdown.ts';
import { openTracing } from '../platform/open-tracing.ts';
import { answerNotReady } from '../api/http/answer-not-ready.ts';
import { listen } from '../api/http/listen.ts';

// The API process: reads its configuration, opens its resources, reports readiness to a parent process, and serves until stopped.
const config = loadConfig();
const logger = createLogger('api', config.logLevel);
const metrics = createServiceMetrics();
const tracing = await openTracing(config.tracing.url, 'itembridge-api');
const onWaiting = () => answerNotReady(config.api);
const composed = await composeApi(config, logger, { metrics, tracing, onWaiting });
const numbers = await exposeMetrics(metrics, { config, logger });
const api = await listen(composed, config.api);

/** Time after the last requests: first attempts of deliveries that are under way have ten seconds, then connections are closed. */
const closingMs = 14_000;

onShutdown(
  logger,
  async () => {
    const cutOff = await api.close();
    await composed.close();
    await Promise.all([numbers?.close(), tracing?.close()]);
    // The operator chose the limit, so cut-off requests are logged but do not fail the stop.
    if (cutOff > 0) logger.warn({ requests: cutOff }, 'process.requests_cut_off');
  },
  { withinMs: config.api.noticeMs + config.api.drainMs + closingMs },
);

logger.info({ url: api.url }, 'api.listening');
process.send?.({ ready: true, url: api.url, ...(numbers && { metricsUrl: numbers.url }) });
