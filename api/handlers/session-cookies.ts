import type { IncomingHttpHeaders } from 'node:http';
import type { SignedIn } from '../../usecases/accounts/log-in.ts';
import type { CookieToken, OpenedSession } from '../../usecases/accounts/own-sessions.ts';

/** A cookie as it is where people reach the service without TLS (the embedded mode); {@link sentAs} says how it is elsewhere. */
export interface CookieKind {
  readonly name: string;
  /** Where it is sent to, and nowhere else. */
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

/**
 * With TLS its name begins with `__Host-`: browsers take such a cookie from this host alone, so that no neighbouring subdomain can plant
 * one, for which they want Secure and the path /. Without TLS they would drop it.
 */
function sentAs({ name, path }: CookieKind, publicUrl: string) {
  return isTls(publicUrl) ? { name: `__Host-${name}`, path: '/' } : { name, path };
}

const isTls = (publicUrl: string): boolean => new URL(publicUrl).protocol === 'https:';

/** The values that were sent under the name. Without TLS a page of a neighbouring subdomain can add one of its own, in front of ours. */
export function cookieValues({ cookie }: IncomingHttpHeaders, kind: CookieKind, publicUrl: string): string[] {
  const { name } = sentAs(kind, publicUrl);
  const pairs = (cookie ?? '').split(';').map((pair) => pair.trim());
  const own = pairs.filter((pair) => pair.startsWith(`${name}=`));
  return own.slice(0, valuesMax).map((pair) => pair.slice(name.length + 1));
}

/** More than one value only comes from somebody who plays tricks, so that many are looked at. */
const valuesMax = 8;

export const sessionCookies = (headers: IncomingHttpHeaders, publicUrl: string): string[] =>
  cookieValues(headers, refreshCookie, publicUrl);

/** Its value when there is just one: of two nobody knows which is the owner's. */
export function cookieValue(headers: IncomingHttpHeaders, kind: CookieKind, publicUrl: string): string | undefined {
  const values = cookieValues(headers, kind, publicUrl);
  return values.length === 1 ? values[0] : undefined;
}

/** `Set-Cookie`: no script reads it, no other site has it sent. */
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

function write(kind: CookieKind, { value, maxAgeSeconds, publicUrl }: CookieValue): string {
  const { name, path } = sentAs(kind, publicUrl);
  const attributes = [`Path=${path}`, `Max-Age=${maxAgeSeconds}`, 'HttpOnly', `SameSite=${kind.sameSite ?? 'Strict'}`];
  return [`${name}=${value}`, ...attributes, ...(isTls(publicUrl) ? ['Secure'] : [])].join('; ');
}

/** A browser that signs in, here or there, is signed in to the dashboard and to the public pages. */
export const signedInCookies = (opened: SignedIn, publicUrl: string): string[] => [
  ...sessionCookiesOf(opened, publicUrl),
  setCookie(deviceCookie, opened.device, publicUrl),
  setCookie(pageDeviceCookie, opened.device, publicUrl),
];

export const sessionCookiesOf = ({ refresh, page }: OpenedSession, publicUrl: string): string[] => [
  setCookie(refreshCookie, refresh, publicUrl),
  setCookie(pageCookie, page, publicUrl),
];
