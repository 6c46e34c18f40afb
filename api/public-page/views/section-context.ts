import type { JoinPage } from '../../../usecases/resellers/read-join-page.ts';
import type { Language } from '../language.ts';
import { html, type Html } from './html.ts';
import type { Texts } from './texts-sv.ts';
import type { ShownTrouble } from './trouble.ts';

export interface JoinPageView {
  readonly page: JoinPage;
  readonly language: Language;
  readonly chosenLanguage: Language | undefined;
  readonly formToken: string;
  /** The token of an invitation, which the page's addresses keep. */
  readonly invitation: string | undefined;
  /** Where the invitation went to. */
  readonly invitedEmail: string | undefined;
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
