import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { Refusal } from '../../core/errors.ts';
import { fingerprintOf } from '../../security/fingerprint.ts';
import type { RequestBody } from './route.ts';

const defaultBytesMax = 1024 * 1024;
const parsers = new Map<number, RequestHandler>();

/**
 * The request's body, parsed by JSON.parse alone: `__proto__` stays an ordinary key, nothing is revived or coerced.
 * Throws {@link Refusal} UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, or BAD_REQUEST for what is not JSON or not there.
 */
export async function readJsonBody(request: Request, response: Response, expected: RequestBody): Promise<unknown> {
  if (!hasBody(request)) {
    if (expected.isOptional === true) return {};
    throw new Refusal('BAD_REQUEST', 'A JSON body is required');
  }
  if (!isJsonType(request.headers['content-type'])) {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON (Content-Type: application/json)');
  }
  if (!isUtf8Charset(request.headers['content-type'])) {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The charset is not supported: JSON is UTF-8');
  }
  const bytesMax = expected.bytesMax ?? defaultBytesMax;
  if (expected.asBytes === true) askedForBytes.add(request);
  await parse(parserFor(bytesMax), request, response).catch((error: unknown) => {
    throw refusalOf(error, { bytesMax, encoding: request.headers['content-encoding'] });
  });
  return expected.asBytes === true ? keptBytes.get(request) : request.body;
}

/** Requests whose handler wants the body as it came, and those bytes, after their Content-Encoding. */
const askedForBytes = new WeakSet<object>();
const keptBytes = new WeakMap<object, Buffer>();

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const isJsonType = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType);

/** RFC 8259, 8.1: in another charset it is no JSON that anybody should send. */
function isUtf8Charset(contentType = ''): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

function parserFor(bytesMax: number): RequestHandler {
  const known = parsers.get(bytesMax);
  if (known !== undefined) return known;
  const parser = express.json({ limit: bytesMax, strict: false, type: () => true, verify: inspectBytes });
  parsers.set(bytesMax, parser);
  return parser;
}

const digests = new WeakMap<object, string>();

/** Of the bytes of a request's body after its Content-Encoding; '' when there was none, or no `Idempotency-Key` asks for it. */
export const bodyDigestOf = (request: Request): string => digests.get(request) ?? '';

function inspectBytes(...[request, , bytes, encoding]: [IncomingMessage, unknown, Buffer, string]): void {
  refuseBrokenText(bytes, encoding);
  if (askedForBytes.has(request)) keptBytes.set(request, bytes);
  if (request.headers['idempotency-key'] !== undefined) digests.set(request, fingerprintOf(bytes));
}

/** The decoder would put replacement characters in place of broken bytes, and the partner would find them in its titles. */
function refuseBrokenText(bytes: Buffer, encoding: string): void {
  if (encoding.toLowerCase() === 'utf-8' && !isUtf8(bytes))
    throw new Refusal('BAD_REQUEST', 'The body is not valid UTF-8');
}

function parse(parser: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void parser(request, response, (error: unknown) => {
      if (error === undefined) resolve();
      else reject(error instanceof Error ? error : new Error('the body parser failed', { cause: error }));
    });
  });
}

function refusalOf(
  error: unknown,
  { bytesMax, encoding = 'identity' }: { bytesMax: number; encoding?: string | undefined },
): unknown {
  const { status, type } = describe(error);
  if (type === 'entity.verify.failed')
    return new Refusal('BAD_REQUEST', 'The body is not valid UTF-8', { cause: error });
  if (status === 413)
    return new Refusal('PAYLOAD_TOO_LARGE', `The body is larger than ${sizeText(bytesMax)}`, { cause: error });
  if (status === 415)
    return new Refusal(
      'UNSUPPORTED_MEDIA_TYPE',
      'The Content-Encoding is not supported: send gzip, deflate, br or none',
      {
        cause: error,
      },
    );
  if (type === 'entity.parse.failed')
    return new Refusal('BAD_REQUEST', 'The body is not well-formed JSON', { cause: error });
  if (status === 400) {
    const isEncoded = !/^identity$/i.test(encoding);
    const message = isEncoded ? 'The body is not what its Content-Encoding says' : 'The body could not be read';
    return new Refusal('BAD_REQUEST', message, { cause: error });
  }
  return error;
}

const sizeText = (bytes: number): string =>
  bytes % (1024 * 1024) === 0 ? `${bytes / 1024 / 1024} MB` : `${Math.floor(bytes / 1024)} KB`;

function describe(error: unknown): { status: unknown; type: unknown } {
  if (typeof error !== 'object' || error === null) return { status: undefined, type: undefined };
  return { status: 'status' in error ? error.status : undefined, type: 'type' in error ? error.type : undefined };
}
