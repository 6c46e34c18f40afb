import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Refusal, type RefusalCode } from '../../features/rules/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { answerRefusal } from './error-response.ts';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Answers input that is no HTTP request and never reaches the application, in the form of all refusals: error body,
 * `X-Request-Id`, log line. The connection is closed afterwards, because the start of its next request is unknown. A complete
 * request before the malformed part gets its own answer: it may have had an effect, and a 400 would deny that.
 */
export function answerMalformed(server: Server, logger: Logger): void {
  const underWay = new WeakMap<Duplex, Exchange>();
  const leaving = new WeakSet<Duplex>();
  server.prependListener('request', (request, response) => {
    underWay.set(request.socket, { request, response });
    response.once('close', () => {
      if (underWay.get(request.socket)?.response === response) underWay.delete(request.socket);
    });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (leaving.has(socket)) return;
    leaving.add(socket);
    const { request, response } = underWay.get(socket) ?? {};
    const isGone = error.code === 'ECONNRESET' || !socket.writable;
    if (!isGone && request?.complete === true && response !== undefined) {
      closeAfter(response, socket);
      return;
    }
    // The caller has gone, or is receiving an answer that this one would corrupt.
    if (isGone || response?.headersSent === true) {
      socket.destroy();
      return;
    }
    const requestId = String(response?.getHeader('X-Request-Id') ?? randomUUID());
    const refusal = refusalOf(error);
    logger.info({ requestId, code: refusal.code, problem: error.code }, 'request.malformed');
    socket.end(answerText(refusal, requestId), () => socket.destroy());
  });
}

function closeAfter(response: ServerResponse, socket: Duplex): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
  response.once('close', () => {
    socket.end(() => socket.destroy());
  });
}

const refusals: Readonly<Record<string, readonly [RefusalCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', 'The headers are too large: 16 KB in total'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['PAYLOAD_TOO_LARGE', 'The chunk extensions of the body are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'The request did not arrive in time'],
};

function refusalOf({ code = '' }: NodeJS.ErrnoException): Refusal {
  const [refused, message] = (Object.hasOwn(refusals, code) ? refusals[code] : undefined) ?? [
    'BAD_REQUEST',
    'This is not a well-formed HTTP request',
  ];
  return new Refusal(refused, message);
}

function answerText(refusal: Refusal, requestId: string): string {
  const { status, body, headers = {} } = answerRefusal(refusal);
  const text = JSON.stringify(body);
  const lines = Object.entries({
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    'X-Request-Id': requestId,
    ...headers,
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n${lines.join('')}\r\n${text}`;
}
