import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { Refusal } from '../../core/errors.ts';
import { readJson } from '../../schemas/read-json.ts';
import { fingerprintOf } from '../../security/fingerprint.ts';
import type { Route } from './route.ts';

export const defaultBytesMax = 1024 * 1024;
/**
 * Limit for a caller without a credential. Compressed bodies are refused, because unpacking and parsing would cost more than
 * sending.
 */
const strangerBytesMax = 4 * 1024;

export interface JsonBody {
  readonly body: unknown;
  /** Dotted paths of names that are repeated in their object. */
  readonly repeated: readonly string[];
  /** Size after decoding; 0 without a body. */
  readonly bytes: number;
}

/**
 * Reads the request's body with JSON.parse alone: `__proto__` stays an ordinary key, and nothing is revived or coerced. A route
 * with `asBytes` gets the bytes, because its handler checks a signature first. Throws {@link Refusal} UNSUPPORTED_MEDIA_TYPE,
 * PAYLOAD_TOO_LARGE, or BAD_REQUEST for a body that is not JSON, nested too deep, or missing.
 */
export async function readJsonBody(
  request: Request,
  response: Response,
  { request: expected, credential }: Pick<Route, 'request' | 'credential'>,
): Promise<JsonBody> {
  if (expected === undefined) return { body: undefined, repeated: [], bytes: 0 };
  if (!hasBody(request)) {
    if (expected.isOptional === true) return { body: {}, repeated: [], bytes: 0 };
    throw new Refusal('BAD_REQUEST', 'A JSON body is required');
  }
  if (!isJsonType(request.headers['content-type'])) {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON (Content-Type: application/json)');
  }
  if (!isUtf8Charset(request.headers['content-type'])) {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The charset is not supported: JSON is UTF-8');
  }
  const isStranger = credential === 'none';
  const encoding = request.headers['content-encoding'] ?? 'identity';
  requireEncoding(encoding, isStranger);
  const bytesMax = expected.bytesMax ?? (isStranger ? strangerBytesMax : defaultBytesMax);
  await read(readerFor(bytesMax), request, response).catch((error: unknown) => {
    throw refusalOf(error, { bytesMax, encoding });
  });
  const bytes: unknown = request.body;
  if (!Buffer.isBuffer(bytes)) throw new Error('a body is read as bytes');
  if (request.headers['idempotency-key'] !== undefined) digests.set(request, fingerprintOf(bytes));
  if (expected.asBytes === true) return { body: bytes, repeated: [], bytes: bytes.length };
  const { value, repeated } = parseJson(bytes);
  return { body: value, repeated, bytes: bytes.length };
}

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const isJsonType = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType);

/** RFC 8259, 8.1: JSON must be UTF-8. */
function isUtf8Charset(contentType = ''): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

/** The list is fixed here: the parser would also take zstd wherever Node has it, and bulk syncs never take it. */
function requireEncoding(encoding: string, isStranger: boolean): void {
  const isTaken = isStranger ? /^identity$/i : /^(?:identity|gzip|deflate|br)$/i;
  if (isTaken.test(encoding)) return;
  const wanted = isStranger ? ' here: send the body unpacked' : ': send gzip, deflate, br or none';
  throw new Refusal('UNSUPPORTED_MEDIA_TYPE', `The Content-Encoding is not supported${wanted}`);
}

const readers = new Map<number, RequestHandler>();

function readerFor(bytesMax: number): RequestHandler {
  const known = readers.get(bytesMax);
  if (known !== undefined) return known;
  const reader = express.raw({ limit: bytesMax, type: () => true });
  readers.set(bytesMax, reader);
  return reader;
}

const digests = new WeakMap<object, string>();

/** Digest of a request's body after decoding; '' without a body or without an `Idempotency-Key`. */
export const bodyDigestOf = (request: Request): string => digests.get(request) ?? '';

function parseJson(bytes: Buffer): { readonly value: unknown; readonly repeated: readonly string[] } {
  // The decoder would replace invalid bytes, and the replacement characters would end up in the partner's titles.
  if (!isUtf8(bytes)) throw new Refusal('BAD_REQUEST', 'The body is not valid UTF-8');
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (text === '') return { value: {}, repeated: [] };
  const read = readJson(text);
  if ('problem' in read) throw new Refusal('BAD_REQUEST', `The body ${read.problem}`);
  return read;
}

function read(reader: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void reader(request, response, (error: unknown) => {
      if (error === undefined) resolve();
      else reject(error instanceof Error ? error : new Error('the body parser failed', { cause: error }));
    });
  });
}

function refusalOf(error: unknown, { bytesMax, encoding }: { bytesMax: number; encoding: string }): unknown {
  const status = statusOf(error);
  if (status === 413)
    return new Refusal('PAYLOAD_TOO_LARGE', `The body is larger than ${sizeText(bytesMax)}`, { cause: error });
  if (status !== 400) return error;
  const isEncoded = !/^identity$/i.test(encoding);
  const message = isEncoded ? 'The body is not what its Content-Encoding says' : 'The body could not be read';
  return new Refusal('BAD_REQUEST', message, { cause: error });
}

const sizeText = (bytes: number): string =>
  bytes % (1024 * 1024) === 0 ? `${bytes / 1024 / 1024} MB` : `${Math.floor(bytes / 1024)} KB`;

const statusOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
