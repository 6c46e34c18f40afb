import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../core/errors.ts';

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
