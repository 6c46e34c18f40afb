import type { Request, Response } from 'express';
import { fingerprintOf } from '../../security/fingerprint.ts';

export type Compression = 'br' | 'gzip';

/** A file in memory. */
export interface PageFile {
  /** Media type. */
  readonly type: string;
  readonly etag: string;
  readonly bytes: Buffer;
  /** Its compressed forms, as far as there are any. */
  readonly compressed: Readonly<Partial<Record<Compression, Buffer>>>;
}

/** Its ETag is that of its content, the same in every process. */
export const pageFile = (file: Omit<PageFile, 'etag'>): PageFile => ({
  ...file,
  etag: `"${fingerprintOf(file.bytes).slice(0, 32)}"`,
});

interface Sending {
  readonly request: Request;
  readonly response: Response;
  readonly cacheControl: string;
}

/** Sends the smallest form that the client accepts; 304 when it has that form, only the headers for HEAD. */
export function sendFile(
  { type, etag, bytes, compressed }: PageFile,
  { request, response, cacheControl }: Sending,
): void {
  response.setHeader('Cache-Control', cacheControl);
  response.setHeader('Vary', 'Accept-Encoding');
  const encoding = encodingFor(request, compressed);
  // Each encoding has its own ETag, because its bytes differ.
  const tag = encoding === undefined ? etag : etag.replace(/"$/, `-${encoding}"`);
  response.setHeader('ETag', tag);
  response.setHeader('Content-Type', type);
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
  const body = (encoding && compressed[encoding]) ?? bytes;
  response.setHeader('Content-Length', body.length);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Returns the smallest encoding that the client accepts; undefined: no encoding. */
function encodingFor(request: Request, compressed: PageFile['compressed']): Compression | undefined {
  const made = (['br', 'gzip'] as const).filter((encoding) => compressed[encoding] !== undefined);
  // Most browsers name gzip first, so their own order of preference would select it.
  return made.find((encoding) => request.acceptsEncodings(encoding) === encoding);
}
