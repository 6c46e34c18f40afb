import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { Answer } from './route.ts';

/** Writes an answer in one piece, but a stream, for which see {@link sendStream}; leaves out Express's own content negotiation and ETags, which answers set where they mean them. */
export function sendAnswer(response: Response, { status, body, content, headers, cookies }: Answer): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  if (cookies !== undefined) response.setHeader('Set-Cookie', cookies);
  const bytes = body === undefined ? content?.bytes : Buffer.from(JSON.stringify(body));
  if (bytes === undefined) {
    response.end();
    return;
  }
  response.setHeader('Content-Type', body === undefined ? (content?.type ?? '') : 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

/**
 * Writes an answer whose length nobody knows yet. What fails in the middle breaks the connection off, so that the caller sees
 * that something is missing; that the caller hung up is no failure.
 */
export async function sendStream(response: Response, { status, headers, stream }: StreamedAnswer): Promise<void> {
  response.statusCode = status;
  for (const [name, value] of Object.entries({ ...headers, 'Content-Type': stream.type }))
    response.setHeader(name, value);
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    await pipeline(Readable.from(stream.chunks, { objectMode: false }), response);
  } catch (error) {
    if (!isHungUp(error)) throw error;
  }
}

type StreamedAnswer = Answer & Required<Pick<Answer, 'stream'>>;

const isHungUp = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
