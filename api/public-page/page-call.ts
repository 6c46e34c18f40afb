import type { IncomingHttpHeaders } from 'node:http';
import type { RefusalCode } from '../../features/rules/errors.ts';
import type { Scope } from '../../features/rules/scope.ts';
import type { Context } from '../../features/context.ts';
import type { Answer } from '../http/route.ts';
import type { Language } from './language.ts';
import type { Form } from './read-form.ts';

/** A request for a public page as its handlers see it. */
export interface PageCall {
  readonly context: Context;
  readonly slug: string;
  readonly language: Language;
  /** Value of `?lang=`; undefined leaves the choice to the browser. */
  readonly chosenLanguage: Language | undefined;
  /** The reported result of a form. Any link may contain it, so the page checks that it is true. */
  readonly done: string | undefined;
  /** Value of `?invitation=`: the token of the link in a mail. */
  readonly linkedInvitation: string | undefined;
  /** That token, from the cookie that keeps it. */
  readonly invitation: string | undefined;
  readonly headers: Readonly<IncomingHttpHeaders>;
  /** Empty for a GET. */
  readonly form: Form;
  /** The visitor's session; null without one. */
  readonly scope: Scope | null;
  readonly requestId: string;
  readonly address: string;
}

export type PageAnswer = Answer & {
  /** The refusal code for the log, when the form had no effect. */
  readonly code?: RefusalCode;
};

export const formNames = ['join', 'sharing', 'leave', 'sign-up', 'sign-in', 'sign-out'] as const;
export type FormName = (typeof formNames)[number];

/** Address of a page or one of its forms. It always stays on this host, whatever the slug is. */
export function pageAddress(slug: string, { form, ...query }: PageAddress = {}): string {
  const path = ['/p', encodeURIComponent(slug), ...(form === undefined ? [] : [form])].join('/');
  const named = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) named.set(name, value);
  return named.size === 0 ? path : `${path}?${named.toString()}`;
}

interface PageAddress {
  readonly form?: FormName;
  readonly lang?: Language | undefined;
  readonly done?: 'joined' | 'left' | undefined;
}

/** Redirects after a form, so that a reload does not send it again. */
export function backToPage({ slug, chosenLanguage: lang }: PageCall, done?: 'joined' | 'left'): PageAnswer {
  return { status: 303, headers: { Location: pageAddress(slug, { lang, done }), 'Cache-Control': 'no-store' } };
}
