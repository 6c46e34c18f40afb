import type { Config } from '../platform/config.ts';
import type { Logger } from '../platform/logger.ts';
import { listenForMetrics, type MetricsListener } from '../platform/metrics-listener.ts';
import type { ServiceMetrics } from './service-metrics.ts';

export interface ExposeOptions {
  readonly config: Pick<Config, 'metrics'>;
  readonly logger: Logger;
  /** More of the same text, from another source in this process. Its failure leaves the rest readable. */
  readonly more?: () => Promise<string>;
}

/** Serves the numbers of this process where METRICS_PORT says; undefined where it says nothing. */
export async function exposeMetrics(
  metrics: ServiceMetrics,
  { config, logger, more }: ExposeOptions,
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
  const listener = await listenForMetrics({ host, port, logger, read });
  logger.info({ url: listener.url }, 'metrics.listening');
  return listener;
}
