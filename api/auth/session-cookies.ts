import type { IncomingHttpHeaders } from 'node:http';
import type { CookieToken } from '../../usecases/accounts/open-session.ts';

/** Where a cookie is sent to, and nowhere else. */
export interface CookieKind {
  readonly name: string;
  readonly path: string;
}

export const refreshCookie: CookieKind = { name: 'refresh_token', path: '/auth' };
/** Tells a browser that has signed in before from strangers; opens nothing. */
export const deviceCookie: CookieKind = { name: 'device', path: '/auth/login' };

/** Every value that was sent under the name. A page of a neighbouring subdomain can add one of its own, in front of ours. */
function cookieValues({ cookie }: IncomingHttpHeaders, { name }: CookieKind): string[] {
  const pairs = (cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}

/** More than one refresh token only comes from somebody who plays tricks, so that many are looked at. */
const refreshTokensMax = 8;

export const sessionCookies = (headers: IncomingHttpHeaders): string[] =>
  cookieValues(headers, refreshCookie).slice(0, refreshTokensMax);

/** Its value when there is just one: of two nobody knows which is the owner's. */
export function cookieValue(headers: IncomingHttpHeaders, kind: CookieKind): string | undefined {
  const values = cookieValues(headers, kind);
  return values.length === 1 ? values[0] : undefined;
}

/**
 * `Set-Cookie`: no script reads it, no other site has it sent. Secure unless people reach the service without TLS, as in the
 * embedded mode: browsers would drop the cookie then.
 */
export function setCookie(kind: CookieKind, { token, maxAgeSeconds }: CookieToken, publicUrl: string): string {
  return write(kind, { value: token.reveal(), maxAgeSeconds, publicUrl });
}

export const clearCookie = (kind: CookieKind, publicUrl: string): string =>
  write(kind, { value: '', maxAgeSeconds: 0, publicUrl });

interface CookieValue {
  readonly value: string;
  readonly maxAgeSeconds: number;
  readonly publicUrl: string;
}

function write({ name, path }: CookieKind, { value, maxAgeSeconds, publicUrl }: CookieValue): string {
  const isSecure = new URL(publicUrl).protocol === 'https:';
  const attributes = [`Path=${path}`, `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Strict'];
  return [`${name}=${value}`, ...attributes, ...(isSecure ? ['Secure'] : [])].join('; ');
}
