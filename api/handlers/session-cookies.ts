import type { IncomingHttpHeaders } from 'node:http';
import type { SignedIn } from '../../features/accounts/log-in.ts';
import type { CookieToken, OpenedSession } from '../../features/accounts/own-sessions.ts';

/** A cookie in its form without TLS (the embedded mode); {@link sentAs} gives the form with TLS. */
export interface CookieKind {
  readonly name: string;
  /** The browser sends the cookie to this path only. */
  readonly path: string;
  /** Default Strict. Lax: also sent when the visitor follows a link from another site. */
  readonly sameSite?: 'Lax';
}

export const refreshCookie: CookieKind = { name: 'refresh_token', path: '/auth' };
/** Distinguishes a browser that has signed in before from an unknown one; gives no access. */
export const deviceCookie: CookieKind = { name: 'device', path: '/auth/login' };
/** Tells the public pages which account is signed in; no route of the interface accepts it. */
export const pageCookie: CookieKind = { name: 'session', path: '/p', sameSite: 'Lax' };
/** The device cookie for signing in on a public page. */
export const pageDeviceCookie: CookieKind = { name: 'page_device', path: '/p' };
/** Ties the forms of the public pages to a browser without a session. */
export const visitorCookie: CookieKind = { name: 'visitor', path: '/p', sameSite: 'Lax' };
/** The token of an invitation's link, which leaves the address of the page at once. Sent after a click in a mail, too. */
export const invitationCookie: CookieKind = { name: 'invitation', path: '/p', sameSite: 'Lax' };

/**
 * With TLS the name begins with `__Host-`: browsers accept such a cookie from this host alone, so a neighbouring subdomain can't
 * plant one. It requires Secure and the path /. Without TLS browsers would drop it.
 */
function sentAs({ name, path }: CookieKind, publicUrl: string) {
  return isTls(publicUrl) ? { name: `__Host-${name}`, path: '/' } : { name, path };
}

const isTls = (publicUrl: string): boolean => new URL(publicUrl).protocol === 'https:';

/** Returns the values sent under the name. Without TLS a page of a neighbouring subdomain can add its own value before ours. */
export function cookieValues({ cookie }: IncomingHttpHeaders, kind: CookieKind, publicUrl: string): string[] {
  const { name } = sentAs(kind, publicUrl);
  const pairs = (cookie ?? '').split(';').map((pair) => pair.trim());
  const own = pairs.filter((pair) => pair.startsWith(`${name}=`));
  return own.slice(0, valuesMax).map((pair) => pair.slice(name.length + 1));
}

/** Several values only come from an attack, so only this many are checked. */
const valuesMax = 8;

/** The values of the session cookie; more than one comes from a neighbouring subdomain. */
export const sessionCookies = (headers: IncomingHttpHeaders, publicUrl: string): string[] =>
  cookieValues(headers, refreshCookie, publicUrl);

/** Returns the value when there is exactly one; with two, the owner's is unknown. */
export function cookieValue(headers: IncomingHttpHeaders, kind: CookieKind, publicUrl: string): string | undefined {
  const values = cookieValues(headers, kind, publicUrl);
  return values.length === 1 ? values[0] : undefined;
}

/** `Set-Cookie`: hidden from scripts, and not sent by pages of other sites. */
export function setCookie(kind: CookieKind, { token, maxAgeSeconds }: CookieToken, publicUrl: string): string {
  return write(kind, { value: token.reveal(), maxAgeSeconds, publicUrl });
}

/** `Set-Cookie` that removes the cookie. */
export const clearCookie = (kind: CookieKind, publicUrl: string): string =>
  write(kind, { value: '', maxAgeSeconds: 0, publicUrl });

interface CookieValue {
  readonly value: string;
  readonly maxAgeSeconds: number;
  readonly publicUrl: string;
}

function write(kind: CookieKind, { value, maxAgeSeconds, publicUrl }: CookieValue): string {
  const { name, path } = sentAs(kind, publicUrl);
  const attributes = [`Path=${path}`, `Max-Age=${maxAgeSeconds}`, 'HttpOnly', `SameSite=${kind.sameSite ?? 'Strict'}`];
  return [`${name}=${value}`, ...attributes, ...(isTls(publicUrl) ? ['Secure'] : [])].join('; ');
}

/** A sign-in on the dashboard or on a public page is valid for both. */
export const signedInCookies = (opened: SignedIn, publicUrl: string): string[] => [
  ...sessionCookiesOf(opened, publicUrl),
  setCookie(deviceCookie, opened.device, publicUrl),
  setCookie(pageDeviceCookie, opened.device, publicUrl),
];

export const sessionCookiesOf = ({ refresh, page }: OpenedSession, publicUrl: string): string[] => [
  setCookie(refreshCookie, refresh, publicUrl),
  setCookie(pageCookie, page, publicUrl),
];
