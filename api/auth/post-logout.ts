import { logOut } from '../../usecases/accounts/log-out.ts';
import { noStore } from '../http/no-store.ts';
import type { Answer, Call } from '../http/route.ts';
import { requireOwnOrigin } from './require-own-origin.ts';
import { clearCookie, pageCookie, refreshCookie, sessionCookies } from './session-cookies.ts';

/** Asks for no access token, so that a session can be ended whose token has run out. */
export async function postLogout(call: Call): Promise<Answer> {
  const { publicUrl } = call.context;
  requireOwnOrigin(call.headers, publicUrl);
  for (const token of sessionCookies(call.headers, publicUrl)) await logOut(call.context, call, token);
  const cookies = [refreshCookie, pageCookie].map((kind) => clearCookie(kind, publicUrl));
  return { status: 204, headers: noStore, cookies };
}
