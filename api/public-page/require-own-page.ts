import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../core/errors.ts';

/**
 * A form of ours is sent by a page of ours. Browsers say by `Origin` where a POST comes from; a page that hides it (`null`: a
 * sandboxed frame, a file) is none of ours. As one service may be reached under several addresses, `Sec-Fetch-Site: same-origin`,
 * which no page can set, counts as well. Without `Origin` that header decides alone, without both `Referer`; who says nothing at
 * all is no browser that these forms are for. Throws {@link Refusal} ORIGIN_FORBIDDEN.
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
