import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { canConnect } from '../../embedded/choose-port.ts';
import { ManagedProcess } from '../../embedded/managed-process.ts';
import { pollUntil } from '../../embedded/poll.ts';

const run = promisify(execFile);
const binary = 'redis-server';

/** Version of the Redis on the path; null where there is none. */
export async function redisVersion(): Promise<string | null> {
  try {
    const { stdout } = await run(binary, ['--version']);
    return /v=([\d.]+)/.exec(stdout)?.[1] ?? 'unknown';
  } catch {
    return null;
  }
}

/** Appends every write to its file and flushes it once a second, as BullMQ's manual wants it for production. */
export function redisProcess({ port, directory }: { port: number; directory: string }): ManagedProcess {
  mkdirSync(directory, { recursive: true });
  return new ManagedProcess({
    name: 'redis',
    command: binary,
    args: [
      ...['--bind', '127.0.0.1', '--port', String(port), '--dir', directory, '--save', ''],
      ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'],
    ],
    environment: process.env,
    logFile: `${directory}/redis.log`,
    readySource: 'none',
    startTimeoutMs: 10_000,
    stopTimeoutMs: 10_000,
    waitReady: async (_announced, signal) => {
      await pollUntil(() => canConnect(port), signal, 50);
    },
  });
}
