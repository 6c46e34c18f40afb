import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../features/rules/errors.ts';
import { readNewApiKey } from '../../schemas/accounts/api-key.ts';
import {
  readAccessRevocation,
  readEmailChange,
  readEmailConfirmation,
  readForgottenPassword,
  readNoticesWish,
  readPasswordReset,
} from '../../schemas/accounts/own-account.ts';
import { readLogin, readPasswordChange, readRegistration } from '../../schemas/accounts/sign-in.ts';
import {
  askForConfirmation,
  askForNewEmail,
  askForNewPassword,
  confirmEmail,
  revokeByToken,
  setForgottenPassword,
} from '../../features/accounts/account-email.ts';
import { logIn, registerAccount, type SignedIn } from '../../features/accounts/log-in.ts';
import { changePassword, chooseNotices, readNotices, readOwnAccount } from '../../features/accounts/own-account.ts';
import { endAllOtherSessions, endOneSession, listSessions, logOut } from '../../features/accounts/own-sessions.ts';
import { refreshSession } from '../../features/accounts/refresh-session.ts';
import { generateApiKey } from '../../features/accounts/create-api-key.ts';
import { revokeApiKey } from '../../features/accounts/revoke-api-key.ts';
import { listApiKeys } from '../../features/accounts/list-api-keys.ts';
import { keyModesOf } from '../../features/accounts/sandbox.ts';
import { noStore } from '../http/error-response.ts';
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

/** `POST /auth/password`: 204; all other sessions have ended. */
export async function postPassword(call: ScopedCall): Promise<Answer> {
  await changePassword(call.context, call.scope, { ...readPasswordChange(call.body), caller: call });
  return { status: 204 };
}

/** `GET /auth/me`: 200 with the signed-in account, its pages and rights. */
export async function getMe({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readOwnAccount(context, scope) };
}

/** `GET /auth/sessions`: 200 with the open sessions, newest first. */
export async function getSessions({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: { sessions: await listSessions(context, scope) } };
}

/** `DELETE /auth/sessions/{id}`: 204; 404 for a session that is not open. */
export async function deleteSession(call: ScopedCall): Promise<Answer> {
  await endOneSession(call.context, call.scope, param(call, 'id'));
  return { status: 204 };
}

/** `DELETE /auth/sessions`: 204; every session but the caller's has ended. */
export async function deleteSessions({ scope, context }: ScopedCall): Promise<Answer> {
  await endAllOtherSessions(context, scope);
  return { status: 204 };
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

/** `POST /auth/password/forgotten`: 202, whether or not the address has an account. */
export async function postForgottenPassword(call: Call): Promise<Answer> {
  await askForNewPassword(call.context, call, readForgottenPassword(call.body));
  return { status: 202 };
}

/** `POST /auth/password/reset`: 200 with what is still active; the token of the link works once. */
export async function postPasswordReset(call: Call): Promise<Answer> {
  const body = await setForgottenPassword(call.context, call, readPasswordReset(call.body));
  return { status: 200, body, headers: noStore };
}

/** `POST /auth/access/revoke`: 200 with what was taken back; the token works once. */
export async function postAccessRevocation(call: Call): Promise<Answer> {
  const body = await revokeByToken(call.context, call, readAccessRevocation(call.body));
  return { status: 200, body, headers: noStore };
}

/** `POST /auth/email`: 202; the address changes when its link is opened. */
export async function postEmail(call: ScopedCall): Promise<Answer> {
  await askForNewEmail(call.context, call.scope, { ...readEmailChange(call.body), caller: call });
  return { status: 202 };
}

/** `POST /auth/email/verification`: 202; the link is sent once more. */
export async function postEmailVerification({ context, scope }: ScopedCall): Promise<Answer> {
  await askForConfirmation(context, scope);
  return { status: 202 };
}

/** `POST /auth/email/confirm`: 200 with what is active; the token of the link works once. */
export async function postEmailConfirmation(call: Call): Promise<Answer> {
  const body = await confirmEmail(call.context, call, readEmailConfirmation(call.body));
  return { status: 200, body, headers: noStore };
}

/** `GET /auth/notices`: 200 with the mails that the account gets. */
export async function getNotices({ context, scope }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readNotices(context, scope) };
}

/** `PUT /auth/notices`: 200 with the stored choice. */
export async function putNotices({ context, scope, body }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await chooseNotices(context, scope, readNoticesWish(body)) };
}

/** `GET /integration/api-keys`: 200 with the keys that are not revoked, without their secrets. */
export async function getApiKeys({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: { keys: await listApiKeys(context, scope), modes: keyModesOf(context.sandbox) } };
}

/** 200 and not 201: specification "Management". */
export async function postApiKey({ scope, body, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await generateApiKey(context, scope, readNewApiKey(body)) };
}

/** `DELETE /integration/api-keys/{id}`: 204; the key is invalid at once. */
export async function deleteApiKey(call: ScopedCall): Promise<Answer> {
  await revokeApiKey(call.context, call.scope, param(call, 'id'));
  return { status: 204 };
}
