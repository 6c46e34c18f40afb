import type { Response } from 'express';
import type { Answer } from './route.ts';

/** Writes an answer in one piece; leaves out Express's own content negotiation and ETags, which answers set where they mean them. */
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
