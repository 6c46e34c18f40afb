import type { JoinPage } from '../../../features/resellers/read-join-page.ts';
import { formTokenField, sharesOrdersField, shownResellerField } from '../form-token.ts';
import type { Language } from '../language.ts';
import { pageAddress, type FormName } from '../page-call.ts';
import { html, type Html } from './html.ts';
import type { Texts } from './texts.ts';
import type { ShownTrouble } from './trouble.ts';

/**
 * A form of the page with its token, which proves that it was shown to this browser. A chosen language is kept on error pages,
 * too.
 */
export const form = ({ page, formToken, chosenLanguage }: SectionContext, name: FormName, content: Html): Html =>
  html`<form method="post" action="${pageAddress(page.slug, { form: name, lang: chosenLanguage })}">
    <input type="hidden" name="${formTokenField}" value="${formToken}" /> ${content}
  </form>`;

/** Hidden field for a form about a reseller. */
export const aboutReseller = (userId: string): Html =>
  html`<input type="hidden" name="${shownResellerField}" value="${userId}" />`;

/** The checkbox that lets the reseller handle the orders; never ticked for a new visitor. */
export const sharingBox = ({ words, name }: SectionContext, id: string, isTicked: boolean): Html =>
  html`<div class="field choice">
    <input
      id="${id}"
      name="${sharesOrdersField}"
      type="checkbox"
      value="yes"
      aria-describedby="${id}-hint"
      ${isTicked && html`checked`}
    />
    <label for="${id}">${words.sharing.label(name)}</label>
    <p class="hint" id="${id}-hint">${words.sharing.hint(name)}</p>
  </div>`;

export interface Field {
  readonly id: string;
  readonly name: string;
  readonly type: 'text' | 'email' | 'password';
  readonly label: string;
  readonly autocomplete: string;
  readonly hint?: string;
  /** The value typed before; never set for a password. */
  readonly value?: string | undefined;
  readonly problem?: string | undefined;
  /** True for the first field with a problem, which gets the focus. */
  readonly isFirstProblem?: boolean;
}

/** A labelled field. Hint and problem are linked to it for screen readers. */
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

export interface JoinPageView {
  readonly page: JoinPage;
  readonly language: Language;
  readonly chosenLanguage: Language | undefined;
  readonly formToken: string;
  /** The result of the previous form. */
  readonly done: string | undefined;
  /** Why the previous form had no effect. */
  readonly trouble: ShownTrouble | undefined;
}

/** The data of the page's sections. */
export interface SectionContext extends JoinPageView {
  readonly words: Texts;
  /** Name of the reseller, isolated from the surrounding text. */
  readonly name: Html;
}

/** Isolates a name, because it may be written from right to left. */
export const isolated = (name: string): Html => html`<bdi>${name}</bdi>`;
