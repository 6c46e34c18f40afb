import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { until } from './until.ts';

export type GoServer =
  | { readonly url: string; readonly problem?: undefined; close(): Promise<void> }
  /** Why there is none. */
  | { readonly problem: string };

export interface GoServerOptions {
  /** Of scripts/install-go-program.mjs. */
  readonly binary: string | undefined;
  readonly problem: string | undefined;
  readonly args: (address: string) => readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a server of another maker on the loopback. It is ready when it answers anything. */
export async function startGoServer({ binary, problem, args, environment }: GoServerOptions): Promise<GoServer> {
  if (binary === undefined) return { problem: problem ?? 'the tests were not started by npm test' };
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(binary, args(address), { stdio: 'ignore', env: { ...process.env, ...environment } });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const url = `http://${address}`;
  const answers = (): Promise<boolean> =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await until(`${binary} answers`, answers, 20_000);
  return {
    url,
    close: async () => {
      child.kill();
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
