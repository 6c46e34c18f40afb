import { refreshSession } from '../../usecases/accounts/refresh-session.ts';
import { noStore } from '../http/no-store.ts';
import type { Answer, Call } from '../http/route.ts';
import { sessionCookiesOf } from './answer-signed-in.ts';
import { requireOwnOrigin } from './require-own-origin.ts';
import { sessionCookies } from './session-cookies.ts';

/** A refusal leaves the cookie alone: while it was on its way, another tab may have signed in anew. */
export async function postRefresh(call: Call): Promise<Answer> {
  const { publicUrl } = call.context;
  requireOwnOrigin(call.headers, publicUrl);
  const renewed = await refreshSession(call.context, call, sessionCookies(call.headers, publicUrl));
  return { status: 200, body: renewed.session, headers: noStore, cookies: sessionCookiesOf(renewed, publicUrl) };
}
