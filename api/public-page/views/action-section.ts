import type { JoinPageVisitor } from '../../../usecases/resellers/read-join-page.ts';
import { dateText } from '../language.ts';
import { aboutReseller, form, sharingBox } from './form.ts';
import { html, type Html } from './html.ts';
import { isolated, type SectionContext } from './section-context.ts';

/** The actions of a signed-in visitor, or why there are none. */
export function visitorSection(context: SectionContext, visitor: JoinPageVisitor): Html {
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
      return html`${heading(action.join)}
      ${form(
        context,
        'join',
        html`${aboutReseller(page.resellerUserId)} ${sharingBox(context, 'join-sharing', false)}
          <button>${action.joinButton(name)}</button>`,
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
