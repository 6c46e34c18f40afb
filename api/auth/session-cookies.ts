import type { IncomingHttpHeaders } from 'node:http';
import type { CookieToken } from '../../usecases/accounts/open-session.ts';

/** Where a cookie is sent to, and nowhere else. */
export interface CookieKind {
  readonly name: string;
  readonly path: string;
  /** Default Strict. Lax: also sent when somebody follows a link from another site. */
  readonly sameSite?: 'Lax';
}

export const refreshCookie: CookieKind = { name: 'refresh_token', path: '/auth' };
/** Tells a browser that has signed in before from strangers; opens nothing. */
export const deviceCookie: CookieKind = { name: 'device', path: '/auth/login' };
/** Tells the public pages who is signed in; no route of the interface takes it. */
export const pageCookie: CookieKind = { name: 'session', path: '/p', sameSite: 'Lax' };
/** The device cookie for signing in on a public page. */
export const pageDeviceCookie: CookieKind = { name: 'page_device', path: '/p' };
/** Ties the forms of the public pages to a browser without a session. */
export const visitorCookie: CookieKind = { name: 'visitor', path: '/p', sameSite: 'Lax' };

/** The values that were sent under the name. A page of a neighbouring subdomain can add one of its own, in front of ours. */
export function cookieValues({ cookie }: IncomingHttpHeaders, { name }: CookieKind): string[] {
  const pairs = (cookie ?? '').split(';').map((pair) => pair.trim());
  const own = pairs.filter((pair) => pair.startsWith(`${name}=`));
  return own.slice(0, valuesMax).map((pair) => pair.slice(name.length + 1));
}

/** More than one value only comes from somebody who plays tricks, so that many are looked at. */
const valuesMax = 8;

export const sessionCookies = (headers: IncomingHttpHeaders): string[] => cookieValues(headers, refreshCookie);

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

function write({ name, path, sameSite }: CookieKind, { value, maxAgeSeconds, publicUrl }: CookieValue): string {
  const isSecure = new URL(publicUrl).protocol === 'https:';
  const attributes = [`Path=${path}`, `Max-Age=${maxAgeSeconds}`, 'HttpOnly', `SameSite=${sameSite ?? 'Strict'}`];
  return [`${name}=${value}`, ...attributes, ...(isSecure ? ['Secure'] : [])].join('; ');
}
