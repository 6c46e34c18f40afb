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
  /** What the form before has done. */
  readonly done: string | undefined;
  /** Why the form before has done nothing. */
  readonly trouble: ShownTrouble | undefined;
}

/** What the sections of the page are made of. */
export interface SectionContext extends JoinPageView {
  readonly words: Texts;
  /** Of the reseller, kept apart from the text around it. */
  readonly name: Html;
}

/** Names may be written from right to left, whatever stands around them. */
export const isolated = (name: string): Html => html`<bdi>${name}</bdi>`;
