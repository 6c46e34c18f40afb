import type { Request, RequestHandler } from 'express';
import { Refusal } from './fields.ts';

const bodies = new WeakMap<Request, Buffer>();

/**
 * Reads the whole body before anything else. Like a real server, a delayed call still does its work after the caller
 * has closed the connection; a parser that starts later would find the stream destroyed.
 */
export function takeBody(maxBytes: number): RequestHandler {
  return async (request, _response, next) => {
    const body = await readAtMost(request, maxBytes);
    if (body === 'cut off') return;
    if (body === 'too large')
      throw new Refusal(413, 'RequestTooLarge', `the body must not be larger than ${maxBytes} bytes`);
    bodies.set(request, body);
    next();
  };
}

async function readAtMost(request: Request, maxBytes: number): Promise<Buffer | 'too large' | 'cut off'> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      size += bytes.length;
      // The rest is read and dropped, so that the caller receives the answer.
      if (size <= maxBytes) chunks.push(bytes);
    }
  } catch (error) {
    if (request.destroyed) return 'cut off';
    throw error;
  }
  return size > maxBytes ? 'too large' : Buffer.concat(chunks);
}

/** The bytes of the body; empty without one. */
export function rawBodyOf(request: Request): Buffer {
  return bodies.get(request) ?? Buffer.alloc(0);
}

/** The body as JSON; undefined without one. Throws a 400 {@link Refusal} for invalid JSON. */
export function jsonBodyOf(request: Request): unknown {
  const raw = rawBodyOf(request);
  if (raw.length === 0) return undefined;
  if (!request.is('json')) throw new Refusal(400, 'InvalidRequest', 'the body must be sent as application/json');
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    throw new Refusal(400, 'InvalidRequest', 'the body is not valid JSON');
  }
}
