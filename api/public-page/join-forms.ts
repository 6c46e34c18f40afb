import { Refusal } from '../../features/rules/errors.ts';
import { readLogin, readRegistration, type Registration } from '../../schemas/accounts/sign-in.ts';
import { authenticateSession } from '../../features/accounts/authenticate-session.ts';
import { logIn, registerAccount, type SignedIn } from '../../features/accounts/log-in.ts';
import { endOwnSession } from '../../features/accounts/own-sessions.ts';
import { connectMember } from '../../features/resellers/connect-member.ts';
import { shareOrders } from '../../features/resellers/share-orders.ts';
import { disconnectMember } from '../../features/resellers/leave-reseller.ts';
import { requireShown } from '../../features/resellers/profiles.ts';
import { readJoinPage } from '../../features/resellers/read-join-page.ts';
import {
  clearCookie,
  cookieValue,
  pageCookie,
  pageDeviceCookie,
  refreshCookie,
  signedInCookies,
} from '../handlers/session-cookies.ts';
import { requireSessionForm, requireVisitorForm, sharesOrders, shownReseller } from './form-token.ts';
import { backToPage, type PageAnswer, type PageCall } from './page-call.ts';

// The forms below are for a signed-in visitor. Each throws Refusal UNAUTHORIZED or ORIGIN_FORBIDDEN as
// requireSessionForm does.

/** `POST /p/{slug}/join`: same effect and errors as `POST /p/{slug}/connect`; also CONFLICT when another reseller was shown. */
export async function postJoin(call: PageCall): Promise<PageAnswer> {
  const scope = requireSessionForm(call);
  await connectMember(call.context, scope, {
    slug: call.slug,
    expected: shownReseller(call),
    sharesOrders: sharesOrders(call),
    invitation: call.invitation,
  });
  return backToPage(call, 'joined');
}

/** `POST /p/{slug}/sharing`: same effect and errors as `PATCH /business/my-deal`; also CONFLICT when another reseller was shown. */
export async function postSharing(call: PageCall): Promise<PageAnswer> {
  const scope = requireSessionForm(call);
  await shareOrders(call.context, scope, { sharesOrders: sharesOrders(call), expected: shownReseller(call) });
  return backToPage(call);
}

/**
 * `POST /p/{slug}/leave`: same effect as `DELETE /business/my-deal`; throws CONFLICT when the membership is no longer the shown
 * one.
 */
export async function postLeave(call: PageCall): Promise<PageAnswer> {
  const scope = requireSessionForm(call);
  await disconnectMember(call.context, scope, shownReseller(call));
  return backToPage(call, 'left');
}

/** `POST /p/{slug}/sign-out`: the session ends, in the dashboard too. */
export async function postSignOut(call: PageCall): Promise<PageAnswer> {
  const scope = requireSessionForm(call);
  const { publicUrl } = call.context;
  await endOwnSession(call.context, scope);
  return { ...backToPage(call), cookies: [refreshCookie, pageCookie].map((kind) => clearCookie(kind, publicUrl)) };
}

// The forms below are for a visitor without a session. Each throws Refusal ORIGIN_FORBIDDEN as requireVisitorForm does,
// and NOT_FOUND for an unknown page before any effect. A session that was opened in another tab meanwhile ends.

/** `POST /p/{slug}/sign-in`: like POST /auth/login, with its limits and refusals. Creates no membership. */
export async function postSignIn(call: PageCall): Promise<PageAnswer> {
  requireVisitorForm(call);
  await requirePage(call);
  const { email, password } = call.form;
  const opened = await logIn(call.context, callerOf(call), readLogin({ email, password }));
  await endEarlierSession(call);
  return { ...backToPage(call), cookies: signedInCookies(opened, call.context.publicUrl) };
}

/**
 * `POST /p/{slug}/sign-up`: creates an account like POST /auth/register, with its limits and refusals, and then the membership.
 * If the membership is refused, the account still exists and the page shows the reason. Throws CONFLICT before any effect when
 * the page belongs to another reseller by now.
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

/** A second click, or a visitor who forgot the account, is signed in when the password is right. */
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

/** The browser drops the cookies of the earlier session, after which the visitor could no longer end it. */
async function endEarlierSession({ context, scope }: PageCall): Promise<void> {
  if (scope !== null) await endOwnSession(context, scope);
}

async function join(call: PageCall, { session }: SignedIn): Promise<boolean> {
  const { context, slug, requestId, invitation } = call;
  const scope = await authenticateSession(context, session.accessToken);
  try {
    await connectMember(
      context,
      { ...scope, requestId },
      { slug, expected: shownReseller(call), sharesOrders: sharesOrders(call), invitation },
    );
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
