import type { IncomingMessage, Server } from 'node:http';

const unhurried = new WeakSet<IncomingMessage>();

/** For a body read as a stream, whose reader limits the time itself. */
export const leaveBodyTime = (request: IncomingMessage): void => {
  unhurried.add(request);
};

/**
 * A request must arrive within `timeoutMs`. Otherwise it is a client error like that of the server's own `requestTimeout`, which
 * allows no exceptions.
 */
export function limitBodyTime(server: Server, timeoutMs: number): void {
  const hurry = (request: IncomingMessage): void => {
    if (request.headers['transfer-encoding'] === undefined && request.headers['content-length'] === undefined) return;
    const timer = setTimeout(() => {
      if (request.complete || unhurried.has(request)) return;
      const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      server.emit('clientError', error, request.socket);
    }, timeoutMs);
    timer.unref();
    request.once('close', () => clearTimeout(timer));
  };
  server.prependListener('request', hurry).prependListener('checkExpectation', hurry);
}
