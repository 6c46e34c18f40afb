import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type { Response } from 'express';
import { Refusal } from '../../features/rules/errors.ts';
import type { Answer, FileFacts, ServedFile } from './route.ts';

/**
 * Writes an answer in one piece; for a stream see {@link sendStream}, for a file {@link sendFile}. It avoids Express's content
 * negotiation and ETags, because answers set their own where needed.
 */
export function sendAnswer(response: Response, answer: Answer): void {
  const { status, body, content, headers = {}, cookies } = answer;
  response.status(status).set(headers);
  if (cookies !== undefined) response.setHeader('Set-Cookie', cookies);
  const bytes = body === undefined ? content?.bytes : packed(response, answer, Buffer.from(JSON.stringify(body)));
  if (bytes === undefined) {
    response.end();
    return;
  }
  response.setHeader('Content-Type', body === undefined ? (content?.type ?? '') : 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

/** Less than this goes in one or two packets anyway. */
const packedFromBytes = 2_048;

/**
 * The answer to a read, packed for a client that takes it. Level 1 takes a tenth of a millisecond, so a thread would cost more. An
 * answer with an ETag goes as it is, because the packed bytes would need another one, and `If-Match` takes it.
 */
function packed(response: Response, { headers }: Answer, bytes: Buffer): Buffer {
  const { req: request } = response;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || bytes.length < packedFromBytes || headers?.['ETag'] !== undefined) return bytes;
  response.vary('Accept-Encoding');
  if (request.acceptsEncodings('gzip') !== 'gzip') return bytes;
  response.setHeader('Content-Encoding', 'gzip');
  return gzipSync(bytes, { level: 1 });
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

/** Sends all bytes. A client that closes the connection causes no error, and the source is destroyed. */
async function sendThrough(response: Response, bytes: Readable): Promise<void> {
  try {
    await pipeline(bytes, response);
  } catch (error) {
    if (!isHungUp(error)) throw error;
  }
}

type StreamedAnswer = Answer & Required<Pick<Answer, 'stream'>>;

const isHungUp = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

type FileAnswer = Pick<Answer, 'headers'> & { readonly file: ServedFile };

/**
 * Sends a file as the request asks: whole, one range as 206, 304 when the client has it, and only headers for HEAD. Throws
 * {@link Refusal} RANGE_NOT_SATISFIABLE, and what the file's functions throw.
 */
export async function sendFile(response: Response, answer: FileAnswer): Promise<void> {
  const { file } = answer;
  const { req: request } = response;
  let range: Range | undefined;
  // A plain GET is one access to the store instead of two.
  if (request.method === 'HEAD' || conditions.some((name) => request.headers[name] !== undefined)) {
    const facts = await file.stat();
    range = rangeOf(response, facts);
    describe(response, answer, facts);
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    if (request.method === 'HEAD') {
      response.set({ 'Content-Type': file.type, 'Content-Length': facts.bytes }).end();
      return;
    }
  }
  const { content, ...facts } = await file.open(range);
  describe(response, answer, facts);
  if (range !== undefined)
    response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${facts.bytes}`);
  const bytes = range === undefined ? facts.bytes : range.end - range.start + 1;
  response.set({ 'Content-Type': file.type, 'Content-Length': bytes });
  await sendThrough(response, content);
}

const conditions = ['if-none-match', 'if-modified-since', 'range'] as const;

const describe = (response: Response, { headers }: FileAnswer, { tag, storedAt }: FileFacts): Response =>
  response.set({ ...headers, ETag: `"${tag}"`, 'Last-Modified': storedAt.toUTCString(), 'Accept-Ranges': 'bytes' });

/** First and last byte, both included. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** The last bytes. More than there are means all of them (RFC 9110, 14.1.2), and the library refuses that. */
const isSuffix = /^bytes=\s*-0*[1-9]\d*\s*$/;

/** The range to send; undefined for the whole file, which may be the answer to several ranges, other units and `If-Range`. */
function rangeOf(response: Response, { bytes }: FileFacts): Range | undefined {
  const { req: request } = response;
  if (request.method === 'HEAD' || request.headers['if-range'] !== undefined) return undefined;
  const ranges = request.range(bytes);
  if (ranges === -1 && !isSuffix.test(request.headers.range ?? '')) {
    response.setHeader('Content-Range', `bytes */${bytes}`);
    throw new Refusal('RANGE_NOT_SATISFIABLE', `The file has ${bytes} bytes, and none of the range`);
  }
  return typeof ranges === 'object' && ranges.type === 'bytes' && ranges.length === 1 ? ranges[0] : undefined;
}
