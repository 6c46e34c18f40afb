import { createServer } from 'node:net';
import type { RuntimeOptions } from '@temporalio/worker';

export interface SdkMetrics {
  readonly telemetryOptions: NonNullable<RuntimeOptions['telemetryOptions']>;
  /** Metrics of the SDK (`temporal_…`: pollers, slots, task latencies) as text. */
  readonly read: () => Promise<string>;
}

const readTimeoutMs = 2_000;

/**
 * The SDK serves its own metrics on a given port. Here it gets a free loopback port, from which they are read into the metrics of
 * the process.
 */
export async function openSdkMetrics(): Promise<SdkMetrics> {
  const address = `127.0.0.1:${await freePort()}`;
  const prometheus = {
    bindAddress: address,
    unitSuffix: true,
    countersTotalSuffix: true,
    useSecondsForDurations: true,
  } as const;
  return {
    telemetryOptions: { metrics: { prometheus } },
    read: async () => {
      const response = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(readTimeoutMs) });
      if (!response.ok) throw new Error(`the SDK's metrics answered ${response.status}`);
      return response.text();
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('no port'));
        else resolve(address.port);
      });
    });
  });
}
