import type { Request } from 'express';
import { Refusal } from '../../features/rules/errors.ts';
import { isProfileSlug } from '../../schemas/resellers/profiles.ts';
import { isLinkToken } from '../../platform/security/fingerprint.ts';
import { formLifetimeSeconds } from '../../platform/security/page-tokens.ts';
import { Secret } from '../../platform/security/secret.ts';
import { readJoinPage } from '../../features/resellers/read-join-page.ts';
import { answerRefusal, type ErrorAnswer } from '../http/error-response.ts';
import type { Answer } from '../http/route.ts';
import { invitationCookie, setCookie } from '../handlers/session-cookies.ts';
import { issueFormToken } from './form-token.ts';
import { preferredLanguage, readLanguage, type Language } from './language.ts';
import { backToPage, pageAddress, type FormName, type PageAnswer, type PageCall } from './page-call.ts';
import { renderErrorPage } from './views/error-page-view.ts';
import { renderJoinPage } from './views/join-page-view.ts';
import { texts } from './views/texts.ts';
import { showTrouble, type ShownTrouble } from './views/trouble.ts';

/**
 * `GET /p/{slug}`: shows the page and never joins. The token of an invitation is moved from the address, which logs and
 * histories keep, to a cookie. Throws {@link Refusal} NOT_FOUND.
 */
export async function getPage(call: PageCall): Promise<PageAnswer> {
  const { linkedInvitation, context } = call;
  if (linkedInvitation === undefined) return { status: 200, ...(await show(call)) };
  if (!isLinkToken(linkedInvitation)) return backToPage(call);
  const cookie = { token: new Secret(linkedInvitation), maxAgeSeconds: formLifetimeSeconds };
  return { ...backToPage(call), cookies: [setCookie(invitationCookie, cookie, context.publicUrl)] };
}

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
  const { context, slug, scope, language, chosenLanguage, done } = call;
  const page = await readJoinPage(context, slug, scope);
  const { token, cookies } = issueFormToken(call);
  const text = renderJoinPage({ page, language, chosenLanguage, formToken: token, done, trouble });
  return {
    content: { type: 'text/html; charset=utf-8', bytes: Buffer.from(text) },
    headers: { ...pageHeaders(language), Vary: 'Accept-Language' },
    cookies,
  };
}

/** True when a person sees the answer: all paths under /p except the route for programs. */
export const isForPeople = ({ path }: Request): boolean => /^\/p(\/|$)/.test(path) && !/\/connect\/?$/.test(path);

/** Turns an error answer into a page, for paths of {@link isForPeople}. */
export function asErrorPage(request: Request, { code, status, headers }: ErrorAnswer, requestId: string): Answer {
  const { query } = request;
  const chosen = readLanguage(typeof query['lang'] === 'string' ? query['lang'] : undefined);
  const language = chosen ?? preferredLanguage(request.headers);
  const [, , slug = ''] = request.path.split('/');
  const address = isProfileSlug(slug) ? (lang: Language | undefined) => pageAddress(slug, { lang }) : undefined;
  const here = (lang: Language) => address?.(lang) ?? `?lang=${lang}`;
  const text = renderErrorPage({ code, language, requestId, address, here });
  return {
    status,
    content: { type: 'text/html; charset=utf-8', bytes: Buffer.from(text) },
    headers: { ...headers, ...pageHeaders(language), Vary: 'Accept-Language' },
  };
}

/** The page runs no script, and loads and sends nothing outside this host. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Headers of every HTML answer under /p; its content depends on the visitor. */
const pageHeaders = (language: Language): Readonly<Record<string, string>> => ({
  'Cache-Control': 'no-store',
  'Content-Language': language,
  'Content-Security-Policy': policy,
  'Cross-Origin-Resource-Policy': 'same-origin',
  // With no-referrer, browsers would also hide the origin of our own forms.
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
});
