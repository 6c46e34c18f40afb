import type { JoinPageVisitor } from '../../../usecases/resellers/read-join-page.ts';
import { percentText } from '../language.ts';
import { pageAddress } from '../page-call.ts';
import { visitorSection } from './action-section.ts';
import { html, type Html } from './html.ts';
import { renderPage } from './layout.ts';
import { newcomerSection } from './newcomer-section.ts';
import { isolated, type JoinPageView, type SectionContext } from './section-context.ts';
import { texts } from './texts.ts';

/** A reseller's page: the reseller, the terms of joining, and the actions of this visitor. */
export function renderJoinPage(view: JoinPageView): string {
  const { page, language, trouble, invitation } = view;
  const words = texts[language];
  const name = isolated(page.displayName);
  const context: SectionContext = { ...view, words, name };
  const isMember = standingOf(page.visitor) === 'member';
  const title = isMember ? words.memberTitle(page.displayName) : words.title(page.displayName);
  return renderPage({
    language,
    title: trouble === undefined ? title : `${words.errorPrefix}: ${title}`,
    addressIn: (lang) => pageAddress(page.slug, { lang, invitation }),
    main: html`
      <h1>${isMember ? words.memberHeading(name) : words.heading(name)}</h1>
      ${notice(context)} ${page.visitor === null ? waysIn(context) : visitorSection(context, page.visitor)}
      ${description(context)} ${terms(context)} ${page.visitor === null ? newcomerSection(context) : undefined}
    `,
  });
}

/** In the first screen of a phone: what it is, and the way to each form. A form that was refused is shown below with its problems. */
function waysIn({ words }: SectionContext): Html {
  const { lead, signUp, signIn, terms: toTerms } = words.ways;
  return html`<p class="lead">${lead} <a href="#terms">${toTerms}</a></p>
    <p class="ways">
      <a class="button" href="#sign-up">${signUp}</a>
      <a class="button second" href="#sign-in">${signIn}</a>
    </p>`;
}

function notice({ trouble, done, words, name, page }: SectionContext): Html | undefined {
  if (trouble !== undefined) return html`<p class="notice trouble" role="alert">${trouble.message}</p>`;
  const standing = standingOf(page.visitor);
  if (done === 'joined' && standing === 'member')
    return html`<div class="notice success" role="status">
      <p>${words.done.joined(name)}</p>
      <p><a href="/dashboard/connection">${words.done.joinedNext}</a></p>
    </div>`;
  if (done === 'left' && standing === 'free')
    return html`<p class="notice success" role="status">${words.done.left}</p>`;
  return undefined;
}

const standingOf = (visitor: JoinPageVisitor | null): string | undefined => visitor?.standing.kind;

function description({ page, words, name }: SectionContext): Html | undefined {
  const paragraphs = page.description.split(/\r?\n\s*\r?\n/).filter((paragraph) => paragraph.trim() !== '');
  if (paragraphs.length === 0) return undefined;
  return html`<section aria-labelledby="about">
    <h2 id="about">${words.about(name)}</h2>
    ${paragraphs.map((paragraph) => html`<p class="own-words" dir="auto">${paragraph.trim()}</p>`)}
  </section>`;
}

function terms({ page, words, name, language }: SectionContext): Html {
  const { heading, seller, money, commission, seen, leaving } = words.terms;
  const term = (title: string, text: Html): Html =>
    html`<div class="term">
      <h3>${title}</h3>
      <p>${text}</p>
    </div>`;
  return html`<section aria-labelledby="terms">
    <h2 id="terms">${heading}</h2>
    <div class="terms">
      ${term(seller.heading, seller.text(name))} ${term(money.heading, money.text(name))}
      ${term(commission.heading, commission.text(name, percentText(page.commissionBps, language)))}
      ${term(seen.heading, seen.text(name))} ${term(leaving.heading, leaving.text(name))}
    </div>
  </section>`;
}
