import { ManagedProcess } from './managed-process.ts';
import { pollUntil } from './poll.ts';
import { programArguments } from './program-arguments.ts';

export interface NodeProcessOptions {
  readonly name: 'api' | 'worker';
  /** From the project's folder; `.ts` or `.js`. */
  readonly entry: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logFile: string;
  /** Must answer 200 in addition to the child's own message. */
  readonly healthUrl?: string;
}

/**
 * The API or the worker, from its TypeScript source or compiled. It sends `{ ready: true }`, and ends when the channel
 * to this process closes.
 */
export function nodeProcess(options: NodeProcessOptions): ManagedProcess {
  const { healthUrl } = options;
  return new ManagedProcess({
    name: options.name,
    command: process.execPath,
    args: ['--enable-source-maps', ...programArguments(options.entry)],
    environment: options.environment,
    logFile: options.logFile,
    readySource: 'ipc',
    startTimeoutMs: 60_000,
    stopTimeoutMs: 20_000,
    waitReady: async (announced, signal) => {
      if (healthUrl === undefined) await announced;
      else await pollUntil(() => isHealthy(healthUrl), signal);
    },
  });
}

async function isHealthy(url: string): Promise<true | undefined> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
  await response.body?.cancel();
  return response.ok ? true : undefined;
}
