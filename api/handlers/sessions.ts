import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../core/errors.ts';
import { readLogin, readPasswordChange, readRegistration } from '../../schemas/accounts/sign-in.ts';
import { changePassword, readOwnAccount } from '../../usecases/accounts/own-account.ts';
import { endAllOtherSessions, endOneSession, listSessions, logOut } from '../../usecases/accounts/own-sessions.ts';
import { logIn, registerAccount, type SignedIn } from '../../usecases/accounts/log-in.ts';
import { refreshSession } from '../../usecases/accounts/refresh-session.ts';
import { noStore } from '../http/no-store.ts';
import { param, type Answer, type Call, type ScopedCall } from '../http/route.ts';
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

export async function postRegister(call: Call): Promise<Answer> {
  const { publicUrl } = call.context;
  return answerSignedIn(
    201,
    await registerAccount(call.context, callerOf(call), readRegistration(call.body)),
    publicUrl,
  );
}

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

export async function postPassword(call: ScopedCall): Promise<Answer> {
  await changePassword(call.context, call.scope, { ...readPasswordChange(call.body), caller: call });
  return { status: 204 };
}

export async function getMe({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readOwnAccount(context, scope) };
}

export async function getSessions({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: { sessions: await listSessions(context, scope) } };
}

export async function deleteSession(call: ScopedCall): Promise<Answer> {
  await endOneSession(call.context, call.scope, param(call, 'id'));
  return { status: 204 };
}

export async function deleteSessions({ scope, context }: ScopedCall): Promise<Answer> {
  await endAllOtherSessions(context, scope);
  return { status: 204 };
}

/** The caller without a credential, in the form of the sign-in use cases. */
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
