import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Response } from 'express';
import { Refusal } from '../../features/rules/errors.ts';
import type { Answer, FileFacts, ServedFile } from './route.ts';

/**
 * Writes an answer in one piece; for a stream see {@link sendStream}, for a file {@link sendFile}. It avoids Express's content
 * negotiation and ETags, because answers set their own where needed.
 */
export function sendAnswer(response: Response, answer: Answer): void {
  sendBytes(response, answer, bytesOf(answer));
}

/**
 * The same for what was read: a long body is packed for a client that takes it. An answer with an ETag
 * goes as it is, because the packed bytes would need another one, and `If-Match` takes it.
 */
export function sendReadAnswer(response: Response, answer: Answer): void {
  const bytes = bytesOf(answer);
  const mayBePacked = answer.body !== undefined && answer.headers?.['ETag'] === undefined;
  if (bytes === undefined || !mayBePacked || bytes.length < packedFromBytes) {
    sendBytes(response, answer, bytes);
    return;
  }
  response.vary('Accept-Encoding');
  const packer = packers.find(({ encoding }) => response.req.acceptsEncodings(encoding) === encoding);
  if (packer !== undefined) response.setHeader('Content-Encoding', packer.encoding);
  sendBytes(response, answer, packer === undefined ? bytes : packer.pack(bytes));
}

/** Less than this goes in one or two packets anyway. */
const packedFromBytes = 2_048;

const quickBrotli = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};

/** The quickest levels, the smaller and cheaper form first. A tenth of a millisecond, so a thread would cost more. */
const packers = [
  { encoding: 'br', pack: (bytes: Buffer) => brotliCompressSync(bytes, quickBrotli) },
  { encoding: 'gzip', pack: (bytes: Buffer) => gzipSync(bytes, { level: 1 }) },
];

const bytesOf = ({ body, content }: Answer): Buffer | undefined =>
  body === undefined ? content?.bytes : Buffer.from(JSON.stringify(body));

function sendBytes(response: Response, answer: Answer, bytes: Buffer | undefined): void {
  const { status, body, content, headers, cookies } = answer;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  if (cookies !== undefined) response.setHeader('Set-Cookie', cookies);
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
 * Sends a file as the request asks: whole, one range as 206, 304 when the client has it, and only headers for HEAD.
 * Throws {@link Refusal} PRECONDITION_FAILED or RANGE_NOT_SATISFIABLE, and what the file's functions throw.
 */
export async function sendFile(response: Response, answer: FileAnswer): Promise<void> {
  const { method, headers } = response.req;
  const { file } = answer;
  if (method === 'GET' && !isConditional(headers)) {
    await sendWhole(response, answer); // One access to the store instead of two.
    return;
  }
  const facts = await file.stat();
  requireMatch(headers, facts);
  if (isKnown(headers, facts)) {
    describe(response, answer, facts);
    response.status(304).end();
  } else if (method === 'HEAD') {
    describe(response, answer, facts);
    describeBody(response, file, facts.bytes);
    response.end();
  } else {
    const range = rangeOf(headers, facts);
    if (range === 'outside') throw unsatisfiable(response, facts);
    await (range === undefined ? sendWhole(response, answer) : sendRange(response, answer, { ...range, of: facts }));
  }
}

async function sendWhole(response: Response, answer: FileAnswer): Promise<void> {
  const { content, ...facts } = await answer.file.open();
  describe(response, answer, facts);
  describeBody(response, answer.file, facts.bytes);
  await sendThrough(response, content);
}

/** Sends the whole file when it was replaced after its range and conditions were checked. */
async function sendRange(
  response: Response,
  answer: FileAnswer,
  { of: seen, ...range }: Range & { readonly of: FileFacts },
): Promise<void> {
  const { content, ...facts } = await answer.file.open(range);
  if (facts.tag !== seen.tag) {
    content.destroy();
    await sendWhole(response, answer);
    return;
  }
  describe(response, answer, facts);
  response.statusCode = 206;
  response.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${facts.bytes}`);
  describeBody(response, answer.file, range.end - range.start + 1);
  await sendThrough(response, content);
}

function describe(response: Response, { headers = {} }: FileAnswer, facts: FileFacts): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('ETag', etagOf(facts));
  response.setHeader('Last-Modified', facts.storedAt.toUTCString());
  response.setHeader('Accept-Ranges', 'bytes');
}

function describeBody(response: Response, { type }: ServedFile, bytes: number): void {
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', bytes);
}

function unsatisfiable(response: Response, { bytes }: FileFacts): Refusal {
  response.setHeader('Content-Range', `bytes */${bytes}`);
  return new Refusal('RANGE_NOT_SATISFIABLE', `The file has ${bytes} bytes, and none of the range`);
}

// Conditions and ranges of a GET or HEAD (RFC 9110, 13 and 14). Express has both: but its conditions give the whole file to callers
// that send `Cache-Control: no-cache` (as fetch does), and its ranges refuse a suffix that is longer than the file.

type Headers = Readonly<IncomingHttpHeaders>;

const names = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'range'] as const;

/** Whether the answer depends on the facts of the file. */
const isConditional = (headers: Headers): boolean => names.some((name) => headers[name] !== undefined);

const etagOf = ({ tag }: Pick<FileFacts, 'tag'>): string => `"${tag}"`;

/**
 * Throws {@link Refusal} PRECONDITION_FAILED when the caller means another version of the file. `If-Unmodified-Since` counts only
 * without `If-Match`, and a time that can't be read does not count.
 */
function requireMatch(headers: Headers, facts: FileFacts): void {
  const wanted = headers['if-match'];
  const holds =
    wanted === undefined
      ? !(secondsOf(facts.storedAt) > Date.parse(headers['if-unmodified-since'] ?? ''))
      : tagsIn(wanted).some((tag) => tag === '*' || tag === etagOf(facts));
  if (!holds) throw new Refusal('PRECONDITION_FAILED', 'The file has changed');
}

/** Whether the client has the file already. `If-Modified-Since` counts only without `If-None-Match`. */
function isKnown(headers: Headers, facts: FileFacts): boolean {
  const known = headers['if-none-match'];
  if (known === undefined) return secondsOf(facts.storedAt) <= Date.parse(headers['if-modified-since'] ?? '');
  return tagsIn(known).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etagOf(facts));
}

/** Tags are separated by commas; our own contain none. */
const tagsIn = (list: string): string[] => list.split(',').map((tag) => tag.trim());

/** HTTP dates have whole seconds. */
const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1_000) * 1_000;

/** First and last byte, both included. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * The range to send; undefined for the whole file. A server may send the whole file for several ranges, other units,
 * unreadable headers, and an `If-Range` that is not exactly our ETag. `outside`: the range has no byte of the file.
 */
function rangeOf(headers: Headers, facts: FileFacts): Range | 'outside' | undefined {
  const ifRange = headers['if-range'];
  if (ifRange !== undefined && ifRange !== etagOf(facts)) return undefined;
  const [, first, last, suffix] = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i.exec(headers.range?.trim() ?? '') ?? [];
  if (suffix !== undefined) return within({ start: Math.max(0, facts.bytes - Number(suffix)), end: Infinity }, facts);
  if (first === undefined) return undefined;
  const range = { start: Number(first), end: last === undefined || last === '' ? Infinity : Number(last) };
  return range.end < range.start ? undefined : within(range, facts);
}

const within = ({ start, end }: Range, { bytes }: FileFacts): Range | 'outside' =>
  start >= bytes ? 'outside' : { start, end: Math.min(end, bytes - 1) };
