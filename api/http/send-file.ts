import type { Response } from 'express';
import { Refusal } from '../../core/errors.ts';
import { etagOf, isConditional, isKnown, rangeOf, requireMatch, type Range } from './conditional-read.ts';
import type { Answer, FileFacts, ServedFile } from './route.ts';
import { sendThrough } from './send-answer.ts';

type FileAnswer = Pick<Answer, 'headers'> & { readonly file: ServedFile };

/**
 * Sends a file as the request wants it: whole, one range of it as 206, 304 when the caller has it, of a HEAD the headers.
 * Throws {@link Refusal} PRECONDITION_FAILED or RANGE_NOT_SATISFIABLE, and what the file's functions throw.
 */
export async function sendFile(response: Response, answer: FileAnswer): Promise<void> {
  const { method, headers } = response.req;
  const { file } = answer;
  if (method === 'GET' && !isConditional(headers)) {
    await sendWhole(response, answer); // One look at the store, not two.
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

/** Sends the whole file when it was replaced since the look that the range and the conditions were checked by. */
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
