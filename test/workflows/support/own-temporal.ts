import { join } from 'node:path';
import { freePort } from '../../../embedded/choose-port.ts';
import { temporalProcess } from '../../../embedded/temporal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The real server, which suggests a new run after `historyMax` events instead of 4,096. */
export async function startTemporalWithShortHistories(
  historyMax: number,
): Promise<{ readonly address: string; start(): Promise<unknown>; stop(): Promise<void> }> {
  const binary = process.env['ITEMBRIDGE_TEMPORAL_BIN'];
  if (binary === undefined) throw new Error('ITEMBRIDGE_TEMPORAL_BIN is not set: run the tests by "npm test"');
  const folder = temporaryFolder('temporal');
  const [port, metricsPort, httpPort] = [await freePort(), await freePort(), await freePort()];
  const server = temporalProcess({
    binary,
    port,
    metricsPort,
    httpPort,
    databaseFile: join(folder, 'temporal.sqlite'),
    logFile: join(folder, 'temporal.log'),
    dynamicConfig: [`limit.historyCount.suggestContinueAsNew=${historyMax}`],
  });
  await server.start();
  return { address: `127.0.0.1:${port}`, start: () => server.start(), stop: () => server.stop() };
}
