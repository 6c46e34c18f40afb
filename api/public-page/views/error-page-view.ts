import type { RefusalCode } from '../../../features/rules/errors.ts';
import type { Language } from '../language.ts';
import { html } from './html.ts';
import { renderPage } from './layout.ts';
import { texts } from './texts.ts';

export interface ErrorPageView {
  readonly code: RefusalCode;
  readonly language: Language;
  readonly requestId: string;
  /** The page to return to; undefined without one. */
  readonly address: ((language: Language | undefined) => string) | undefined;
  readonly here: (language: Language) => string;
}

/** Shows the error, its meaning and the next step. */
export function renderErrorPage({ code, language, requestId, address, here }: ErrorPageView): string {
  const words = texts[language];
  const told: Readonly<Partial<Record<RefusalCode, { readonly title: string; readonly text: string }>>> = words.errors;
  const { title, text } = told[code] ?? words.errors.other;
  return renderPage({
    language,
    title,
    addressIn: here,
    main: html`
      <h1>${title}</h1>
      <p>${text}</p>
      ${address !== undefined && code !== 'NOT_FOUND' && html`<p><a href="${address(language)}">${words.backToPage}</a></p>`}
      <p class="reference">${words.reference}: ${requestId}</p>
    `,
  });
}
