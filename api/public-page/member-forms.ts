import { connectShown } from '../../usecases/resellers/connect-member.ts';
import { disconnectMember, shareOrders } from '../../usecases/resellers/members.ts';
import { endOwnSession } from '../../usecases/accounts/own-sessions.ts';
import { clearCookie, pageCookie, refreshCookie } from '../handlers/session-cookies.ts';
import { requireSessionForm, sharesOrders, shownReseller } from './form-token.ts';
import { backToPage, type PageAnswer, type PageCall } from './page-call.ts';

// Forms for a signed-in visitor. Each throws Refusal UNAUTHORIZED or ORIGIN_FORBIDDEN as requireSessionForm does.

/** `POST /p/{slug}/join`: same effect and errors as `POST /p/{slug}/connect`; also CONFLICT when another reseller was shown. */
export async function postJoin(call: PageCall): Promise<PageAnswer> {
  const scope = requireSessionForm(call);
  await connectShown(call.context, scope, {
    ...{
      slug: call.slug,
      expected: shownReseller(call),
      sharesOrders: sharesOrders(call),
      invitation: call.invitation,
    },
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
