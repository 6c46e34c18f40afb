import { join } from 'node:path';
import { programArguments } from '../../../embedded/program-arguments.ts';
import { ManagedProcess } from '../../../embedded/managed-process.ts';
import { defaultApplication } from '../../../simulators/marketplace/default-application.ts';

/**
 * The marketplace's simulator as a process of its own. It journals every change before it answers, so what it has said survives
 * a kill; its log of calls and the faults that were switched on do not.
 */
export function marketplaceProcess(options: { port: number; folder: string }): ManagedProcess {
  const config = {
    dataDir: join(options.folder, 'simulators'),
    application: defaultApplication,
    marketplace: { port: options.port, processingDelayMs: 50 },
  };
  return new ManagedProcess({
    name: 'marketplace',
    command: process.execPath,
    args: [...programArguments('bin/simulators.ts'), '--config', JSON.stringify(config)],
    environment: process.env,
    logFile: join(options.folder, 'marketplace.log'),
    readySource: 'stdout',
    startTimeoutMs: 30_000,
    stopTimeoutMs: 5_000,
    waitReady: async (announced) => {
      await announced;
    },
  });
}
