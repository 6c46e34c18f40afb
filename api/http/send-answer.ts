import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { Answer } from './route.ts';

/**
 * Writes an answer in one piece; for a stream see {@link sendStream}, for a file send-file.ts. It avoids Express's content
 * negotiation and ETags, because answers set their own where needed.
 */
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
 * Writes an answer of unknown length. An error in the middle breaks the connection, so that the caller sees an incomplete answer.
 */
export async function sendStream(response: Response, { status, headers, stream }: StreamedAnswer): Promise<void> {
  response.statusCode = status;
  for (const [name, value] of Object.entries({ ...headers, 'Content-Type': stream.type }))
    response.setHeader(name, value);
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  await sendThrough(response, Readable.from(stream.chunks, { objectMode: false }));
}

/** Sends bytes to their end. A caller that closes the connection is no error, and destroys the source. */
export async function sendThrough(response: Response, bytes: Readable): Promise<void> {
  try {
    await pipeline(bytes, response);
  } catch (error) {
    if (!isHungUp(error)) throw error;
  }
}

type StreamedAnswer = Answer & Required<Pick<Answer, 'stream'>>;

const isHungUp = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
