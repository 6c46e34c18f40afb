import type { IncomingHttpHeaders } from 'node:http';
import express, { type Request, type Response } from 'express';
import { Refusal } from '../../features/rules/errors.ts';

/** The fields of a form, each once. */
export type Form = Readonly<Record<string, string>>;

const bytesMax = 8 * 1024;
const parser = express.raw({ limit: bytesMax, inflate: false, type: () => true });

/**
 * Reads the body of a form as sent by browsers. `fields` are the allowed names.
 * Throws {@link Refusal} UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, or BAD_REQUEST for a body that our forms never send.
 */
export async function readForm(request: Request, response: Response, fields: ReadonlySet<string>): Promise<Form> {
  if (!/^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The body must be a form (application/x-www-form-urlencoded)');
  const body = await readBytes(request, response);
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body.toString('utf8'))) {
    if (!fields.has(name) || form.has(name)) throw new Refusal('BAD_REQUEST', 'This form has other fields');
    // Invalid UTF-8 would be stored as text that the visitor did not type.
    if (value.includes('\uFFFD')) throw new Refusal('BAD_REQUEST', 'The form is not valid UTF-8');
    form.set(name, value);
  }
  return Object.fromEntries(form);
}

async function readBytes(request: Request, response: Response): Promise<Buffer> {
  await new Promise<void>((resolve, reject) => {
    parser(request, response, (error: unknown) => {
      if (error === undefined) resolve();
      else reject(refusalOf(error));
    });
  });
  const body: unknown = request.body;
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function refusalOf(cause: unknown): Refusal {
  const status = typeof cause === 'object' && cause !== null && 'status' in cause ? cause.status : undefined;
  if (status === 413) return new Refusal('PAYLOAD_TOO_LARGE', 'The form is larger than 8 KB', { cause });
  if (status === 415) return new Refusal('UNSUPPORTED_MEDIA_TYPE', 'A form is sent without encoding', { cause });
  return new Refusal('BAD_REQUEST', 'The form could not be read', { cause });
}

/**
 * Accepts only forms sent from our own pages. Browsers name the origin of a POST in `Origin`; `null` (a sandboxed frame, a file)
 * is refused. One service may be reached under several addresses, so `Sec-Fetch-Site: same-origin`, which no page can set, counts
 * too. Without `Origin` that header decides alone, and without both `Referer`. A caller without all three is refused.
 * Throws {@link Refusal} ORIGIN_FORBIDDEN.
 */
export function requireOwnPage(headers: IncomingHttpHeaders, publicUrl: string): void {
  if (!isOwnPage(headers, new URL(publicUrl).origin))
    throw new Refusal('ORIGIN_FORBIDDEN', 'This form was sent from a page of another origin');
}

function isOwnPage({ origin, referer, 'sec-fetch-site': site }: IncomingHttpHeaders, own: string): boolean {
  if (origin === 'null') return false;
  if (site === 'same-origin') return true;
  if (origin !== undefined) return origin === own;
  if (site !== undefined) return false;
  return referer !== undefined && URL.canParse(referer) && new URL(referer).origin === own;
}
