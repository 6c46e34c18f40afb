import { noStore } from '../http/no-store.ts';
import type { Answer, Call } from '../http/route.ts';
import { requireOwnOrigin } from './require-own-origin.ts';
import { refreshCookie, sessionCookies, setCookie } from './session-cookies.ts';

/** A refusal leaves the cookie alone: while it was on its way, another tab may have signed in anew. */
export async function postRefresh(call: Call): Promise<Answer> {
  const { accounts, publicUrl } = call.dependencies;
  requireOwnOrigin(call.headers, publicUrl);
  const { session, refresh } = await accounts.refresh(call, sessionCookies(call.headers));
  return { status: 200, body: session, headers: noStore, cookies: [setCookie(refreshCookie, refresh, publicUrl)] };
}
