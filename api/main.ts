import { composeApi } from '../compose/api.ts';
import { loadConfig } from '../platform/config.ts';
import { createLogger } from '../platform/logger.ts';
import { onShutdown } from '../platform/shutdown.ts';
import { listen } from './http/listen.ts';

// The API process: reads its configuration, opens what it needs, says so to a parent process, serves until told to stop.
const config = loadConfig();
const logger = createLogger('api', config.logLevel);
const composed = await composeApi(config, logger);
const api = await listen(composed.dependencies, config.api);

onShutdown(logger, async () => {
  await api.close();
  await composed.close();
});

logger.info({ url: api.url }, 'api.listening');
process.send?.({ ready: true, url: api.url });
