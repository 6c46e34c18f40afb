import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { createLogger } from '../../platform/logger.ts';

let isInstalled = false;

/** Once a process. Failures are what many tests are about: the SDK's warnings would only hide a test's own words, unless TEST_LOG_LEVEL asks for them. */
export function silenceTemporal(): void {
  if (isInstalled) return;
  isInstalled = true;
  const own = createLogger('sdk', process.env['TEST_LOG_LEVEL'] ?? 'fatal');
  const write = (message: string, meta?: object): void => own.warn(meta ?? {}, message);
  const silent = (): void => undefined;
  Runtime.install({
    logger: { log: silent, trace: silent, debug: silent, info: silent, warn: write, error: write },
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
  });
}
