import type { FormName } from '../page-call.ts';
import { sharesOrdersField } from '../form-token.ts';
import { aboutReseller, field, form, sharingBox, type Field } from './form.ts';
import { html, type Html } from './html.ts';
import type { SectionContext } from './section-context.ts';

/** For a visitor without a session: an account with membership in one step, or a sign-in. */
export const newcomerSection = (context: SectionContext): Html => html`${signUp(context)} ${signIn(context)}`;

function signUp(context: SectionContext): Html {
  const { words, name, page, invitedEmail } = context;
  const { signUp: own } = words;
  return html`<section class="card" aria-labelledby="sign-up">
    <h2 id="sign-up">${own.heading}</h2>
    <p>${own.text(name)}</p>
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
          {
            ...{ id: 'sign-up-email', name: 'email', type: 'email', label: own.email, autocomplete: 'email' },
            value: invitedEmail,
          },
          {
            ...{ id: 'sign-up-password', name: 'password', type: 'password', label: own.password },
            ...{ autocomplete: 'new-password', hint: own.passwordHint },
          },
        ])}
        ${sharingBox(context, 'sign-up-sharing', isTickedBefore(context))} <button>${own.button}</button>`,
    )}
  </section>`;
}

/** As it was in a form that was refused. */
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
            ...{ id: 'sign-in-password', name: 'password', type: 'password', label: shared.password },
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
      ...(each.type !== 'password' && { value: own?.typed[each.name] ?? each.value }),
    }),
  );
}
