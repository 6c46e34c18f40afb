import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import { Refusal } from '../../features/rules/errors.ts';
import { readWholeBody } from '../http/request-body.ts';

/** The fields of a form, each once. */
export type Form = Readonly<Record<string, string>>;

const bytesMax = 8 * 1024;

/**
 * Reads the body of a form as sent by browsers. `fields` are the allowed names.
 * Throws {@link Refusal} UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, or BAD_REQUEST for a body that our forms
 * never send.
 */
export async function readForm(request: Request, fields: ReadonlySet<string>): Promise<Form> {
  if (!/^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The body must be a form (application/x-www-form-urlencoded)');
  const body = await readWholeBody(request, { bytesMax, isStranger: true });
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body.toString('utf8'))) {
    if (!fields.has(name) || form.has(name)) throw new Refusal('BAD_REQUEST', 'This form has other fields');
    // Invalid UTF-8 would be stored as text that the visitor did not type.
    if (value.includes('\uFFFD')) throw new Refusal('BAD_REQUEST', 'The form is not valid UTF-8');
    form.set(name, value);
  }
  return Object.fromEntries(form);
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
