import { isPageFormOf, signPageForm } from '../../features/accounts/own-sessions.ts';
import { Refusal } from '../../features/rules/errors.ts';
import type { Scope } from '../../features/rules/scope.ts';
import { Secret } from '../../platform/security/secret.ts';
import { formLifetimeSeconds, isVisitor, newVisitor } from '../../platform/security/page-tokens.ts';
import { cookieValues, setCookie, visitorCookie } from '../handlers/session-cookies.ts';
import type { PageCall } from './page-call.ts';

/** The hidden field of every form. */
export const formTokenField = 'form_token';

/**
 * The user id of the reseller for which a form was shown: by the time it is sent, the slug or the membership may have changed.
 */
export const shownResellerField = 'reseller';

/** Empty, which matches no reseller, for a form without the field. */
export const shownReseller = ({ form }: Pick<PageCall, 'form'>): string => form[shownResellerField] ?? '';

/** The checkbox with which a member lets the reseller handle its orders. Browsers send only a ticked one. */
export const sharesOrdersField = 'shares_orders';
/** Whether the box of {@link sharesOrdersField} was ticked. */
export const sharesOrders = ({ form }: Pick<PageCall, 'form'>): boolean => form[sharesOrdersField] !== undefined;

export interface FormToken {
  readonly token: string;
  /** Cookies to set with the token; empty when the browser needs none. */
  readonly cookies: readonly string[];
}

/** Creates the token for the forms of a page: bound to the session, or without one to a cookie of the browser. */
export function issueFormToken({ context, headers, scope }: PageCall): FormToken {
  const { publicUrl } = context;
  if (scope !== null) return { token: signPageForm(context, sessionHolder(scope)), cookies: [] };
  const visitor = visitorsOf({ headers, context })[0] ?? newVisitor();
  // Set again each time, so that the cookie lasts as long as the form.
  const value = { token: new Secret(visitor), maxAgeSeconds: formLifetimeSeconds };
  return {
    token: signPageForm(context, visitorHolder(visitor)),
    cookies: [setCookie(visitorCookie, value, publicUrl)],
  };
}

/** Throws {@link Refusal} UNAUTHORIZED without a session, ORIGIN_FORBIDDEN for a form that was not shown to this session. */
export function requireSessionForm(call: PageCall): Scope {
  const { scope } = call;
  if (scope === null) throw new Refusal('UNAUTHORIZED', 'Nobody is signed in to this page');
  requireHolder(call, [sessionHolder(scope)]);
  return scope;
}

/** Throws {@link Refusal} ORIGIN_FORBIDDEN for a form that was not shown to this browser. */
export const requireVisitorForm = (call: PageCall): void => requireHolder(call, visitorsOf(call).map(visitorHolder));

function requireHolder({ context, form }: PageCall, holders: readonly string[]): void {
  if (isPageFormOf(context, form[formTokenField] ?? '', holders)) return;
  throw new Refusal('ORIGIN_FORBIDDEN', 'This form was not shown to this browser, or too long ago');
}

function sessionHolder({ credential }: Scope): string {
  if (credential.kind !== 'session') throw new Error('a page is opened with a session');
  return `session:${credential.sessionId}`;
}

const visitorHolder = (visitor: string): string => `visitor:${visitor}`;

const visitorsOf = ({ headers, context }: Pick<PageCall, 'headers' | 'context'>): string[] =>
  cookieValues(headers, visitorCookie, context.publicUrl).filter(isVisitor);
