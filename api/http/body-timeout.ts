import type { IncomingMessage, Server } from 'node:http';

const unhurried = new WeakSet<IncomingMessage>();

/** For a body that is read as a stream, whose reader minds the time itself. */
export const leaveBodyTime = (request: IncomingMessage): void => {
  unhurried.add(request);
};

/**
 * A request has to arrive within `timeoutMs`, else it is a client error as the server's own `requestTimeout` would make it; that
 * one knows no exceptions.
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
