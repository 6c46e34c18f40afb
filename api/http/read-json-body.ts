import { isUtf8 } from 'node:buffer';
import type { Request } from 'express';
import { Refusal } from '../../features/rules/errors.ts';
import { readJson } from '../../schemas/read-json.ts';
import { fingerprintOf } from '../../platform/security/fingerprint.ts';
import { readWholeBody, requireUtf8 } from './request-body.ts';
import type { Route } from './route.ts';

export const defaultBytesMax = 1024 * 1024;
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
 * PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, or BAD_REQUEST for a body that is not JSON, nested too deep, or missing.
 */
export async function readJsonBody(
  request: Request,
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
  requireUtf8(request.headers);
  const isStranger = credential === 'none';
  const bytes = await readWholeBody(request, {
    bytesMax: expected.bytesMax ?? (isStranger ? strangerBytesMax : defaultBytesMax),
    isStranger,
  });
  if (request.headers['idempotency-key'] !== undefined) digests.set(request, fingerprintOf(bytes));
  if (expected.asBytes === true) return { body: bytes, repeated: [], bytes: bytes.length };
  const { value, repeated } = parseJson(bytes);
  return { body: value, repeated, bytes: bytes.length };
}

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const isJsonType = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType);

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
