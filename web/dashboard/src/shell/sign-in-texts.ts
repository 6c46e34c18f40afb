import { defineTexts } from '../i18n/define-texts.ts';

export const signInTexts = defineTexts({
  sv: {
    signIn: 'Logga in',
    signInLead: 'Följ dina artiklar, ordrar och webhooks.',
    register: 'Skapa konto',
    registerLead: 'Ett konto för artiklar, API-nycklar och webhooks.',
    email: 'E-postadress',
    password: 'Lösenord',
    newPasswordHint: 'Minst 10 tecken, och inget vanligt lösenord.',
    name: 'Namn',
    nameHint: 'Företagets eller ditt eget.',
    wrong: 'Fel e-postadress eller lösenord.',
    taken: 'Det finns redan ett konto med den e-postadressen.',
    toRegister: 'Har du inget konto?',
    toSignIn: 'Har du redan ett konto?',
  },
  en: {
    signIn: 'Sign in',
    signInLead: 'Follow items, orders and webhooks.',
    register: 'Create an account',
    registerLead: 'One account for items, API keys and webhooks.',
    email: 'Email address',
    password: 'Password',
    newPasswordHint: 'At least 10 characters, and no common password.',
    name: 'Name',
    nameHint: 'The company’s or your own.',
    wrong: 'Wrong email address or password.',
    taken: 'There is an account with this email address already.',
    toRegister: 'No account yet?',
    toSignIn: 'Have an account already?',
  },
});
