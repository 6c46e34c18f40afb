import type { JoinPageVisitor } from '../../../features/resellers/read-join-page.ts';
import { sharesOrdersField } from '../form-token.ts';
import { dateText, percentText } from '../language.ts';
import { pageAddress, type FormName } from '../page-call.ts';
import {
  aboutReseller,
  field,
  form,
  isolated,
  sharingBox,
  type Field,
  type JoinPageView,
  type SectionContext,
} from './form.ts';
import { html, type Html } from './html.ts';
import { renderPage } from './layout.ts';
import { texts } from './texts.ts';

/** A reseller's page: the reseller, the terms of joining, and the actions of this visitor. */
export function renderJoinPage(view: JoinPageView): string {
  const { page, language, trouble } = view;
  const words = texts[language];
  const name = isolated(page.displayName);
  const context: SectionContext = { ...view, words, name };
  const isMember = standingOf(page.visitor) === 'member';
  const title = isMember ? words.memberTitle(page.displayName) : words.title(page.displayName);
  return renderPage({
    language,
    title: trouble === undefined ? title : `${words.errorPrefix}: ${title}`,
    addressIn: (lang) => pageAddress(page.slug, { lang }),
    main: html`
      ${logo(context)}
      <h1>${isMember ? words.memberHeading(name) : words.heading(name)}</h1>
      ${notice(context)} ${page.visitor === null ? waysIn(context) : visitorSection(context, page.visitor)}
      ${description(context)} ${terms(context)} ${page.visitor === null ? newcomerSection(context) : undefined}
    `,
  });
}

/** Its box is as large before the picture has come, so that nothing moves. */
const logo = ({ page, words }: SectionContext): Html | undefined =>
  page.logoPath === null
    ? undefined
    : html`<img class="logo" src="${page.logoPath}" width="240" height="64" alt="${words.logo(page.displayName)}" />`;

/**
 * On the first screen of a phone: what the page is for, and links to each form. A refused form is shown below with its
 * problems.
 */
function waysIn({ words, page }: SectionContext): Html {
  const { lead, signUp, signIn, terms: toTerms } = words.ways;
  return html`<p class="lead">${lead} <a href="#terms">${toTerms}</a></p>
    <p class="ways">
      <a class="button" href="#sign-up">${page.needsApproval ? words.signUp.asking.button : signUp}</a>
      <a class="button second" href="#sign-in">${signIn}</a>
    </p>`;
}

function notice({ trouble, done, words, name, page }: SectionContext): Html | undefined {
  if (trouble !== undefined) return html`<p class="notice trouble" role="alert">${trouble.message}</p>`;
  const standing = standingOf(page.visitor);
  if (done === 'joined' && standing === 'waiting')
    return html`<p class="notice success" role="status">${words.done.asked(name)}</p>`;
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

/** For a visitor without a session: an account with membership in one step, or a sign-in. */
const newcomerSection = (context: SectionContext): Html => html`${signUp(context)} ${signIn(context)}`;

function signUp(context: SectionContext): Html {
  const { words, name, page } = context;
  const { signUp: own } = words;
  const { heading: title, text, button } = page.needsApproval ? { ...own, ...own.asking } : own;
  return html`<section class="card" aria-labelledby="sign-up">
    <h2 id="sign-up">${title}</h2>
    <p>${text(name)}</p>
    ${form(
      context,
      'sign-up',
      html`${aboutReseller(page.resellerUserId)}
        ${fields(context, 'sign-up', [
          {
            id: 'sign-up-name',
            name: 'name',
            type: 'text',
            label: own.name,
            autocomplete: 'organization',
            hint: own.nameHint,
          },
          { id: 'sign-up-email', name: 'email', type: 'email', label: own.email, autocomplete: 'email' },
          {
            id: 'sign-up-password',
            name: 'password',
            type: 'password',
            label: own.password,
            autocomplete: 'new-password',
            hint: own.passwordHint,
          },
        ])}
        ${sharingBox(context, 'sign-up-sharing', isTickedBefore(context))} <button>${button}</button>`,
    )}
  </section>`;
}

/** Ticked as it was in the refused form. */
const isTickedBefore = ({ trouble }: SectionContext): boolean =>
  trouble?.of === 'sign-up' && trouble.typed[sharesOrdersField] !== undefined;

function signIn(context: SectionContext): Html {
  const { signIn: own, signUp: shared } = context.words;
  return html`<section class="card" aria-labelledby="sign-in">
    <h2 id="sign-in">${own.heading}</h2>
    <p>${own.text}</p>
    ${form(
      context,
      'sign-in',
      html`${fields(context, 'sign-in', [
          { id: 'sign-in-email', name: 'email', type: 'email', label: shared.email, autocomplete: 'username' },
          {
            id: 'sign-in-password',
            name: 'password',
            type: 'password',
            label: shared.password,
            autocomplete: 'current-password',
          },
        ])} <button class="second">${own.button}</button>`,
    )}
  </section>`;
}

/** Shows the typed values and their problems again, for the form that was refused. */
function fields({ trouble }: SectionContext, of: FormName, wanted: readonly Field[]): Html[] {
  const own = trouble?.of === of ? trouble : undefined;
  const first = wanted.find(({ name }) => own?.problems[name] !== undefined)?.name;
  return wanted.map((each) =>
    field({
      ...each,
      problem: own?.problems[each.name],
      isFirstProblem: each.name === first,
      ...(each.type !== 'password' && { value: own?.typed[each.name] }),
    }),
  );
}

/** The actions of a signed-in visitor, or why there are none. */
function visitorSection(context: SectionContext, visitor: JoinPageVisitor): Html {
  const { signOut, signedInAs } = context.words.action;
  return html`<section class="card" aria-labelledby="action">
    ${standing(context, visitor)}
    <div class="signed-in">
      <p>${signedInAs(isolated(visitor.name), isolated(visitor.email))}</p>
      ${form(context, 'sign-out', html`<button class="quiet">${signOut}</button>`)}
    </div>
  </section>`;
}

function standing(context: SectionContext, visitor: JoinPageVisitor): Html {
  const { standing: own, resellerName } = visitor;
  const { words, name, language, page } = context;
  const { action } = words;
  const other = isolated(resellerName ?? '');
  switch (own.kind) {
    case 'free':
      return html`${heading(action.join)} ${page.needsApproval && html`<p>${action.approval(name)}</p>`}
      ${form(
        context,
        'join',
        html`${aboutReseller(page.resellerUserId)} ${sharingBox(context, 'join-sharing', false)}
          <button>${page.needsApproval ? action.askButton(name) : action.joinButton(name)}</button>`,
      )}`;
    case 'waiting':
      return html`${heading(action.waitingHeading)}
        <p>${action.waiting(name, dateText(own.since, language))}</p>
        ${form(
          context,
          'leave',
          html`${aboutReseller(page.resellerUserId)} <button class="second">${action.withdrawButton}</button>`,
        )}`;
    case 'member':
      return html`${heading(action.memberHeading)}
        <p>${action.member(name, dateText(own.since, language))}</p>
        <p><a href="/dashboard">${action.dashboard}</a></p>
        ${sharing(context, visitor)} ${leave(context, visitor, name)}`;
    case 'member_elsewhere':
      return html`${heading(action.elsewhereHeading)}
        <p>${action.elsewhere(name, other)}</p>
        ${leave(context, visitor, other)}`;
    case 'own_page':
      return html`${heading(action.join)}
        <p>${action.ownPage}</p>
        <p><a href="/dashboard/reseller">${action.ownPageNext}</a></p>`;
    case 'reseller':
      return html`${heading(action.join)}
        <p>${action.reseller}</p>
        <p><a href="/dashboard">${action.dashboard}</a></p>`;
  }
}

const heading = (text: string): Html => html`<h2 id="action">${text}</h2>`;

function sharing(context: SectionContext, { memberOfUserId, sharesOrders }: JoinPageVisitor): Html {
  const box = sharingBox(context, 'sharing', sharesOrders);
  const button = html`<button class="second">${context.words.sharing.save}</button>`;
  return form(context, 'sharing', html`${aboutReseller(memberOfUserId ?? '')} ${box} ${button}`);
}

/** Closed at first, so that one wrong click does not end the membership. */
function leave(context: SectionContext, { memberOfUserId }: JoinPageVisitor, name: Html): Html {
  const { action } = context.words;
  const button = html`<button class="second">${action.leaveButton(name)}</button>`;
  return html`<details>
    <summary>${action.leave(name)}</summary>
    <p>${action.leaveText(name)}</p>
    ${form(context, 'leave', html`${aboutReseller(memberOfUserId ?? '')} ${button}`)}
  </details>`;
}
