import type { SignedIn } from '../../usecases/accounts/log-in.ts';
import { noStore } from '../http/no-store.ts';
import type { Answer, Call } from '../http/route.ts';
import { cookieValue, deviceCookie, refreshCookie, setCookie } from './session-cookies.ts';

/** Who calls a route without a credential, as the use cases of signing in want to know it. */
export const callerOf = ({ address, requestId, headers }: Call) => ({
  address,
  requestId,
  deviceToken: cookieValue(headers, deviceCookie),
});

export const answerSignedIn = (status: number, opened: SignedIn, publicUrl: string): Answer => ({
  status,
  body: opened.session,
  headers: noStore,
  cookies: [setCookie(refreshCookie, opened.refresh, publicUrl), setCookie(deviceCookie, opened.device, publicUrl)],
});
