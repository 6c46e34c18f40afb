import { formTokenField, shownResellerField } from '../form-token.ts';
import { pageAddress, type FormName } from '../page-call.ts';
import { html, type Html } from './html.ts';
import type { SectionContext } from './section-context.ts';

/** A form of the page, with what proves that it was shown to this browser. A chosen language stays, also on an error page. */
export const form = ({ page, formToken, chosenLanguage }: SectionContext, name: FormName, content: Html): Html =>
  html`<form method="post" action="${pageAddress(page.slug, { form: name, lang: chosenLanguage })}">
    <input type="hidden" name="${formTokenField}" value="${formToken}" /> ${content}
  </form>`;

/** In a form that is about a reseller. */
export const aboutReseller = (userId: string): Html =>
  html`<input type="hidden" name="${shownResellerField}" value="${userId}" />`;

export interface Field {
  readonly id: string;
  readonly name: string;
  readonly type: 'text' | 'email' | 'password';
  readonly label: string;
  readonly autocomplete: string;
  readonly hint?: string;
  /** What was typed before; a password never is. */
  readonly value?: string | undefined;
  readonly problem?: string | undefined;
  /** Where the page is to begin: the first field with a problem. */
  readonly isFirstProblem?: boolean;
}

/** A labelled field. Hint and problem belong to it also for those who hear the page. */
export function field({ id, name, type, label, autocomplete, ...rest }: Field): Html {
  const { hint, value, problem, isFirstProblem = false } = rest;
  const describedBy = [
    ...(problem === undefined ? [] : [`${id}-problem`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ];
  return html`<div class="field">
    <label for="${id}">${label}</label>
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${problem !== undefined && html`<p class="problem" id="${id}-problem">${problem}</p>`}
    <input
      id="${id}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      required
      ${value !== undefined && html`value="${value}"`}
      ${describedBy.length > 0 && html`aria-describedby="${describedBy.join(' ')}"`}
      ${problem !== undefined && html`aria-invalid="true"`}
      ${isFirstProblem && html`autofocus`}
    />
  </div>`;
}
