import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../features/rules/errors.ts';
import { readLogin, readRegistration } from '../../schemas/accounts/sign-in.ts';
import { logIn, registerAccount, type SignedIn } from '../../features/accounts/log-in.ts';
import { logOut } from '../../features/accounts/own-sessions.ts';
import { refreshSession } from '../../features/accounts/refresh-session.ts';
import { noStore } from '../http/error-response.ts';
import type { Answer, Call } from '../http/route.ts';
import {
  clearCookie,
  cookieValue,
  deviceCookie,
  pageCookie,
  refreshCookie,
  sessionCookies,
  sessionCookiesOf,
  signedInCookies,
} from './session-cookies.ts';

/** `POST /auth/register`: 201 with the first session of the new account. */
export async function postRegister(call: Call): Promise<Answer> {
  const { publicUrl } = call.context;
  return answerSignedIn(
    201,
    await registerAccount(call.context, callerOf(call), readRegistration(call.body)),
    publicUrl,
  );
}

/** `POST /auth/login`: 200 with the session; its secrets go into cookies. */
export async function postLogin(call: Call): Promise<Answer> {
  const { publicUrl } = call.context;
  return answerSignedIn(200, await logIn(call.context, callerOf(call), readLogin(call.body)), publicUrl);
}

/** A refusal does not clear the cookie: another tab may have signed in again meanwhile. */
export async function postRefresh(call: Call): Promise<Answer> {
  const { publicUrl } = call.context;
  requireOwnOrigin(call.headers, publicUrl);
  const renewed = await refreshSession(call.context, call, sessionCookies(call.headers, publicUrl));
  return { status: 200, body: renewed.session, headers: noStore, cookies: sessionCookiesOf(renewed, publicUrl) };
}

/** Needs no access token, so a session with an expired token can be ended. */
export async function postLogout(call: Call): Promise<Answer> {
  const { publicUrl } = call.context;
  requireOwnOrigin(call.headers, publicUrl);
  for (const token of sessionCookies(call.headers, publicUrl)) await logOut(call.context, call, token);
  const cookies = [refreshCookie, pageCookie].map((kind) => clearCookie(kind, publicUrl));
  return { status: 204, headers: noStore, cookies };
}

/** A caller without a credential, in the form that the sign-in use cases take. */
const callerOf = ({ address, requestId, headers, context }: Call) => ({
  address,
  requestId,
  userAgent: headers['user-agent'],
  deviceToken: cookieValue(headers, deviceCookie, context.publicUrl),
});

const answerSignedIn = (status: number, opened: SignedIn, publicUrl: string): Answer => ({
  status,
  body: opened.session,
  headers: noStore,
  cookies: signedInCookies(opened, publicUrl),
});

/**
 * Protects calls that a cookie alone authorises. A browser names the page of a POST in `Origin`; a caller without it is no
 * browser. A browser also confirms in `Sec-Fetch-Site`, which no page can set, that the page has the address it calls. That
 * matters because one service may be reached under several addresses, such as localhost and 127.0.0.1.
 * Throws {@link Refusal} ORIGIN_FORBIDDEN.
 */
function requireOwnOrigin(headers: IncomingHttpHeaders, publicUrl: string): void {
  const { origin } = headers;
  if (headers['sec-fetch-site'] === 'same-origin') return;
  if (origin === undefined || origin === new URL(publicUrl).origin) return;
  throw new Refusal('ORIGIN_FORBIDDEN', 'This request comes from a page of another origin');
}
