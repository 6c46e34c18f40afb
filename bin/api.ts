import { composeApi } from '../compose/api.ts';
import { exposeMetrics, createServiceMetrics } from '../compose/metrics.ts';
import { loadConfig } from '../compose/config.ts';
import { createLogger } from '../platform/logger.ts';
import { onShutdown } from '../platform/shutdown.ts';
import { openTracing } from '../platform/open-tracing.ts';
import { listen } from '../api/http/listen.ts';

// The API process: reads its configuration, opens what it needs, says so to a parent process, serves until told to stop.
const config = loadConfig();
const logger = createLogger('api', config.logLevel);
const metrics = createServiceMetrics();
const tracing = await openTracing(config.tracing.url, 'itembridge-api');
const composed = await composeApi(config, logger, { metrics, tracing });
const numbers = await exposeMetrics(metrics, { config, logger });
const api = await listen(composed, config.api);

/** After the requests: what they have left to be sent, and the connections. */
const closingMs = 8_000;

onShutdown(
  logger,
  async () => {
    const cutOff = await api.close();
    await composed.close();
    await Promise.all([numbers?.close(), tracing?.close()]);
    // The bound is the operator's: what it cuts off is told, and is no failure of the stop.
    if (cutOff > 0) logger.warn({ requests: cutOff }, 'process.requests_cut_off');
  },
  { withinMs: config.api.noticeMs + config.api.drainMs + closingMs },
);

logger.info({ url: api.url }, 'api.listening');
process.send?.({ ready: true, url: api.url, ...(numbers && { metricsUrl: numbers.url }) });
