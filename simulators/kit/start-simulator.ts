import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Router } from 'express';
import { adminRoutes, CallLog } from './admin-routes.ts';
import { createClock, type Clock } from './clock.ts';
import { FaultBook } from './fault-book.ts';
import { observeCalls, type Pause } from './play-fault.ts';
import { Refusal } from './fields.ts';
import { takeBody } from './request-body.ts';

/** Paths of PEM files. */
export interface TlsFiles {
  readonly keyFile: string;
  readonly certFile: string;
}

export interface RunningSimulator {
  readonly url: string;
  readonly adminUrl: string;
  /** Also ends open connections, because a hanging fault must not delay the stop. */
  close(): Promise<void>;
}

export interface SimulatorParts {
  /** For messages: `marketplace`. */
  readonly name: string;
  /** 0 or absent: any free port. */
  readonly port?: number | undefined;
  readonly tls?: TlsFiles | undefined;
  readonly clock?: Clock;
  /** The faults of a simulator that also speaks another protocol. */
  readonly faults?: FaultBook;
  readonly calls?: CallLog;
  /** By default faults wait in real time. */
  readonly pause?: Pause;
  /** Everything outside `/admin`. */
  readonly routes: Router;
  /** Routes below `/admin`, in addition to those of every simulator. */
  readonly admin?: Router;
  /** The outside system's own form of an error, `{error: {code, message}}` by default. */
  readonly errorBody?: (refusal: Refusal) => unknown;
  readonly onClose?: () => void | Promise<void>;
}

/** Starts one simulator on loopback. Throws an error that names simulator and port when the port is taken. */
export async function startSimulator(parts: SimulatorParts): Promise<RunningSimulator> {
  const app = assemble(parts);
  const server = parts.tls === undefined ? createHttpServer(app) : createHttpsServer(readTls(parts.tls), app);
  const port = await listen(server, parts.name, parts.port ?? 0);
  const url = `${parts.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  return {
    url,
    adminUrl: `${url}/admin`,
    async close() {
      await closeServer(server);
      await parts.onClose?.();
    },
  };
}

function assemble(parts: SimulatorParts): Express {
  const shared = {
    faults: parts.faults ?? new FaultBook(),
    calls: parts.calls ?? new CallLog(),
    clock: parts.clock ?? createClock(),
    pause: parts.pause,
  };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // A proxy that closes `/admin` must not be passed by `/Admin`.
  app.enable('case sensitive routing');
  app.use('/admin', refuseWebPages);
  app.use(takeBody(10_000_000));
  app.use('/admin', adminRoutes(shared), ...(parts.admin === undefined ? [] : [parts.admin]), (request) => {
    throw new Refusal(404, 'NotFound', `there is no admin route ${request.method} ${request.path}`);
  });
  app.use(observeCalls(shared), parts.routes, (request) => {
    throw new Refusal(404, 'NotFound', `there is nothing at ${request.method} ${request.path}`);
  });
  app.use(answerErrors(parts));
  return app;
}

const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * The administration has no password, so a web page in a browser on this machine must not reach it. It is refused from
 * another origin, and under a host name that resolves to 127.0.0.1 (DNS rebinding). The same holds for mails with their links.
 */
export const refuseWebPages: RequestHandler = ({ headers: { host, origin } }, _response, next) => {
  const isOurs = (url: string): boolean => URL.canParse(url) && loopbackHosts.has(new URL(url).hostname);
  if (!isOurs(`http://${host ?? ''}`) || (origin !== undefined && !isOurs(origin)))
    throw new Refusal(403, 'Forbidden', 'this answers callers on this machine only');
  next();
};

function answerErrors(parts: SimulatorParts): ErrorRequestHandler {
  const errorBody =
    parts.errorBody ?? ((refusal: Refusal) => ({ error: { code: refusal.code, message: refusal.message } }));
  // eslint-disable-next-line @typescript-eslint/max-params -- Express knows an error handler by its four parameters
  return (error: unknown, _request, response, _next) => {
    const refusal = error instanceof Refusal ? error : asRefusal(error, parts.name);
    response.status(refusal.status).set(refusal.headers).json(errorBody(refusal));
  };
}

function asRefusal(error: unknown, name: string): Refusal {
  // Express itself refuses, for example, a path that is not valid percent-encoding.
  if (error instanceof Error && 'status' in error && error.status === 400)
    return new Refusal(400, 'InvalidRequest', error.message);
  // eslint-disable-next-line no-console -- a simulator has no logger: stderr goes to the log file of its process
  console.error(`the ${name} simulator has a bug:`, error);
  return new Refusal(500, 'InternalError', 'the simulator itself failed');
}

function readTls(files: TlsFiles): { key: Buffer; cert: Buffer } {
  return { key: readFileSync(files.keyFile), cert: readFileSync(files.certFile) };
}

async function listen(server: Server, name: string, port: number): Promise<number> {
  server.keepAliveTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(taken ? new Error(`the ${name} simulator can't start: port ${port} is taken`, { cause: error }) : error);
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
