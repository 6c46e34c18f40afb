import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createAuthority, type TestAuthority, type TestCertificate } from './certificates.ts';

export interface LocalServer {
  readonly url: string;
  readonly port: number;
  /** Connections accepted so far, and how many of them are open. */
  connections(): { accepted: number; open: number };
  /** Fulfilled when the last open connection has gone. */
  whenIdle(): Promise<void>;
  close(): Promise<void>;
}

let shared: Promise<{ authority: TestAuthority; certificate: TestCertificate }> | undefined;

/** One authority for a test process, with a certificate for this machine's names. */
export function localCertificate(): Promise<{ authority: TestAuthority; certificate: TestCertificate }> {
  shared ??= createAuthority().then(async (authority) => ({
    authority,
    certificate: await authority.issue(['localhost', '127.0.0.1', 'partner.example']),
  }));
  return shared;
}

/** An HTTPS server on a free port of 127.0.0.1. */
export async function startHttps(listener: RequestListener, certificate?: TestCertificate): Promise<LocalServer> {
  const own = certificate ?? (await localCertificate()).certificate;
  return listen(createHttpsServer(own, listener), 'https');
}

/** An HTTP server on a free port of 127.0.0.1. */
export async function startHttp(listener: RequestListener): Promise<LocalServer> {
  return listen(createHttpServer(listener), 'http');
}

/** Reads the request's body to its end. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Writes `chunk` every `everyMs` until the peer has gone. */
export function drip(response: ServerResponse, chunk: string, everyMs: number): void {
  response.write(chunk);
  const timer = setInterval(() => response.write(chunk), everyMs);
  response.on('close', () => clearInterval(timer));
}

async function listen(server: Server | ReturnType<typeof createHttpsServer>, protocol: string): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) for (const tell of waiting.splice(0)) tell();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${protocol}://127.0.0.1:${port}`,
    port,
    connections: () => ({ accepted, open: sockets.size }),
    whenIdle: () => (sockets.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const socket of sockets) socket.destroy();
      }),
  };
}
