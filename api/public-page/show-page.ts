import { findInvitation } from '../../usecases/resellers/invitations.ts';
import { readJoinPage } from '../../usecases/resellers/read-join-page.ts';
import { Refusal } from '../../core/errors.ts';
import { answerRefusal } from '../http/error-response.ts';
import { issueFormToken } from './form-token.ts';
import type { FormName, PageAnswer, PageCall } from './page-call.ts';
import { pageHeaders } from './page-headers.ts';
import { renderJoinPage } from './views/join-page-view.ts';
import { texts } from './views/texts.ts';
import { showTrouble, type ShownTrouble } from './views/trouble.ts';

/** `GET /p/{slug}`: shows, and never joins. Throws {@link Refusal} NOT_FOUND. */
export const getPage = async (call: PageCall): Promise<PageAnswer> => ({ status: 200, ...(await show(call)) });

/** Shows the page again with the reason why the form had no effect. Throws `error` when the page has no text for it. */
export async function showRefused(call: PageCall, of: FormName, error: unknown): Promise<PageAnswer> {
  if (!(error instanceof Refusal)) throw error;
  const trouble = showTrouble({ of, refusal: error, typed: call.form }, texts[call.language]);
  if (trouble === undefined) throw error;
  const { code } = error;
  const isStranger = of === 'sign-up' || of === 'sign-in' || code === 'UNAUTHORIZED';
  const { headers, ...answer } = await show(isStranger ? { ...call, scope: null } : call, trouble);
  const refused = answerRefusal(error);
  return { ...answer, status: refused.status, code, headers: { ...refused.headers, ...headers } };
}

async function show(call: PageCall, trouble?: ShownTrouble): Promise<Omit<PageAnswer, 'status'>> {
  const { context, slug, scope, language, chosenLanguage, done, invitation } = call;
  const page = await readJoinPage(context, slug, scope);
  const { token, cookies } = issueFormToken(call);
  const reseller = page.resellerUserId;
  const invited = invitation === undefined ? null : await findInvitation(context, { token: invitation, reseller });
  const text = renderJoinPage({
    ...{ page, language, chosenLanguage, formToken: token, done, trouble },
    ...{ invitation, invitedEmail: invited?.email },
  });
  return {
    content: { type: 'text/html; charset=utf-8', bytes: Buffer.from(text) },
    headers: { ...pageHeaders(language), Vary: 'Accept-Language' },
    cookies,
  };
}
