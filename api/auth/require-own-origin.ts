import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../core/errors.ts';

/**
 * For what a cookie alone allows. A browser says by `Origin` which page a POST comes from; whoever sends none is no browser.
 * It also says by `Sec-Fetch-Site`, which no page can set, that the page has the very address that it calls: one service may be
 * reached under several, such as localhost and 127.0.0.1.
 * Throws {@link Refusal} ORIGIN_FORBIDDEN.
 */
export function requireOwnOrigin(headers: IncomingHttpHeaders, publicUrl: string): void {
  const { origin } = headers;
  if (headers['sec-fetch-site'] === 'same-origin') return;
  if (origin === undefined || origin === new URL(publicUrl).origin) return;
  throw new Refusal('ORIGIN_FORBIDDEN', 'This request comes from a page of another origin');
}
