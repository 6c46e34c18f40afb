import { logIn, type SignedIn } from '../../usecases/accounts/log-in.ts';
import { readJoinPage } from '../../usecases/resellers/read-join-page.ts';
import { endOwnSession } from '../../usecases/accounts/own-sessions.ts';
import { authenticateSession } from '../../usecases/accounts/authenticate.ts';
import { connectShown } from '../../usecases/resellers/connect-member.ts';
import { registerAccount } from '../../usecases/accounts/register-account.ts';
import { Refusal } from '../../core/errors.ts';
import { readLogin, readRegistration, type Registration } from '../../schemas/accounts/sign-in.ts';
import { requireShown } from '../../usecases/resellers/profiles.ts';
import { cookieValue, pageDeviceCookie, signedInCookies } from '../handlers/session-cookies.ts';
import { requireVisitorForm, shownReseller } from './form-token.ts';
import { backToPage, type PageAnswer, type PageCall } from './page-call.ts';

// The forms of somebody without a session. Each throws Refusal ORIGIN_FORBIDDEN as requireVisitorForm does, and NOT_FOUND before
// anything is done for a page that is not there. A session that was opened beside a page that still showed them ends.

/** `POST /p/{slug}/sign-in`: as POST /auth/login, with its limits and refusals. Joins nothing. */
export async function postSignIn(call: PageCall): Promise<PageAnswer> {
  requireVisitorForm(call);
  await requirePage(call);
  const { email, password } = call.form;
  const opened = await logIn(call.context, callerOf(call), readLogin({ email, password }));
  await endEarlierSession(call);
  return { ...backToPage(call), cookies: signedInCookies(opened, call.context.publicUrl) };
}

/**
 * `POST /p/{slug}/sign-up`: an account as by POST /auth/register, with its limits and refusals, and the membership, as the
 * button says. When that is refused meanwhile, the page says why; the account is there. CONFLICT before anything is done when
 * the page that was shown is another reseller's by now.
 */
export async function postSignUp(call: PageCall): Promise<PageAnswer> {
  requireVisitorForm(call);
  const { resellerUserId } = await requirePage(call);
  requireShown(resellerUserId, shownReseller(call));
  const { name, email, password } = call.form;
  const opened = await registerOrLogIn(call, readRegistration({ name, email, password }));
  await endEarlierSession(call);
  const hasJoined = await join(call, opened);
  const cookies = signedInCookies(opened, call.context.publicUrl);
  return { ...backToPage(call, hasJoined ? 'joined' : undefined), cookies };
}

const requirePage = ({ context, slug }: PageCall) => readJoinPage(context, slug, null);

/** Who presses the button twice, or has forgotten the account, is let in by its password. */
async function registerOrLogIn(call: PageCall, registration: Registration): Promise<SignedIn> {
  try {
    return await registerAccount(call.context, callerOf(call), registration);
  } catch (taken) {
    if (!(taken instanceof Refusal) || taken.code !== 'CONFLICT') throw taken;
    return logIn(call.context, callerOf(call), registration).catch((error: unknown) => {
      throw error instanceof Refusal && error.code === 'UNAUTHORIZED' ? taken : error;
    });
  }
}

/** The browser forgets its cookies, so nobody could sign out of it any more. */
async function endEarlierSession({ context, scope }: PageCall): Promise<void> {
  if (scope !== null) await endOwnSession(context, scope);
}

async function join(call: PageCall, { session }: SignedIn): Promise<boolean> {
  const { context, slug, requestId } = call;
  const scope = await authenticateSession(context, session.accessToken);
  try {
    await connectShown(context, { ...scope, requestId }, { slug, expected: shownReseller(call) });
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

const callerOf = ({ address, requestId, headers, context }: PageCall) => ({
  address,
  requestId,
  userAgent: headers['user-agent'],
  deviceToken: cookieValue(headers, pageDeviceCookie, context.publicUrl),
});
