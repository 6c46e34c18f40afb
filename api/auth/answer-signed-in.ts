import type { SignedIn } from '../../usecases/accounts/log-in.ts';
import type { OpenedSession } from '../../usecases/accounts/open-session.ts';
import { noStore } from '../http/no-store.ts';
import type { Answer, Call } from '../http/route.ts';
import {
  cookieValue,
  deviceCookie,
  pageCookie,
  pageDeviceCookie,
  refreshCookie,
  setCookie,
} from './session-cookies.ts';

/** Who calls a route without a credential, as the use cases of signing in want to know it. */
export const callerOf = ({ address, requestId, headers, context }: Call) => ({
  address,
  requestId,
  userAgent: headers['user-agent'],
  deviceToken: cookieValue(headers, deviceCookie, context.publicUrl),
});

export const answerSignedIn = (status: number, opened: SignedIn, publicUrl: string): Answer => ({
  status,
  body: opened.session,
  headers: noStore,
  cookies: signedInCookies(opened, publicUrl),
});

/** Whoever signs in, here or there, is signed in to the dashboard and to the public pages. */
export const signedInCookies = (opened: SignedIn, publicUrl: string): string[] => [
  ...sessionCookiesOf(opened, publicUrl),
  setCookie(deviceCookie, opened.device, publicUrl),
  setCookie(pageDeviceCookie, opened.device, publicUrl),
];

export const sessionCookiesOf = ({ refresh, page }: OpenedSession, publicUrl: string): string[] => [
  setCookie(refreshCookie, refresh, publicUrl),
  setCookie(pageCookie, page, publicUrl),
];
