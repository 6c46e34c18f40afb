import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../support/until.ts';

const run = promisify(execFile);

/** Checks calls against the processor's own OpenAPI document; keeps no state. Its version goes with the SDK's. */
const moduleVersion = 'v0.203.0';
const folder = resolve('node_modules', '.cache', `stripe-mock-${moduleVersion}`);

export type StripeMock =
  | { readonly url: string; readonly problem?: undefined; close(): Promise<void> }
  /** Why there is none. */
  | { readonly problem: string };

/** From Go modules, built once for each version; STRIPE_MOCK_BINARY names another. Bound to the loopback. */
export async function startStripeMock(): Promise<StripeMock> {
  const binary = process.env['STRIPE_MOCK_BINARY'] ?? join(folder, 'stripe-mock');
  if (!existsSync(binary)) {
    const problem = await install();
    if (problem !== undefined) return { problem };
  }
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(binary, ['-http-addr', address], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const url = `http://${address}`;
  // Any answer will do: it asks for a key.
  await until(
    'stripe-mock answers',
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    20_000,
  );
  return {
    url,
    close: async () => {
      child.kill();
      await ended;
    },
  };
}

/** Why it could not be built. */
async function install(): Promise<string | undefined> {
  try {
    const env = { ...process.env, GOBIN: folder, GOFLAGS: '-mod=mod' };
    await run('go', ['install', `github.com/stripe/stripe-mock@${moduleVersion}`], { env, timeout: 100_000 });
    return undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'Go is not installed';
    return `Go could not build it (${error instanceof Error ? error.message.split('\n')[0] : 'unknown problem'})`;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
