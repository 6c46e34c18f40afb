import { defineTexts } from '../i18n/define-texts.ts';

export const accessTexts = defineTexts({
  sv: {
    title: 'Ta bort åtkomst',
    lead: 'Kontots API-nycklar, webhooks, medlemskap och anslutning till marknadsplatsen tas bort, och alla loggas ut.',
    revoke: 'Ta bort alltihop',
    offer: 'Känner du inte igen allt? Ta bort alltihop, så loggas alla ut också.',
    done: 'Borttaget, och alla är utloggade',
    active: 'Det här är aktivt på kontot och fungerar utan lösenordet',
    revokedUnconfirmed:
      'Adressen hade aldrig bekräftats, så någon annan kan ha skapat kontot. Därför har vi tagit bort det här',
    deadLink: 'Länken fungerar inte längre',
    newPassword: 'Välj ett nytt lösenord',
    inSandbox: ' (i sandlådan)',
    grant: {
      api_key: (name: string) => `API-nyckeln ${name}…`,
      webhook: (name: string) => `Webhooken till ${name}`,
      membership: (name: string) => `Medlemskapet hos ${name}`,
      marketplace: (name: string) => `Anslutningen till marknadsplatsen som användare ${name}`,
    },
  },
  en: {
    title: 'Remove access',
    lead: 'The account’s API keys, webhooks, membership and marketplace connection are removed, and everyone is signed out.',
    revoke: 'Remove all of it',
    offer: 'Is there anything you don’t recognise? Remove all of it, which also signs everyone out.',
    done: 'Removed, and everyone is signed out',
    active: 'This is active on the account, and works without the password',
    revokedUnconfirmed:
      'The address had never been confirmed, so someone else may have created the account. That is why we have removed this',
    deadLink: 'This link no longer works',
    newPassword: 'Choose a new password',
    inSandbox: ' (in the sandbox)',
    grant: {
      api_key: (name: string) => `API key ${name}…`,
      webhook: (name: string) => `Webhook to ${name}`,
      membership: (name: string) => `Membership of ${name}`,
      marketplace: (name: string) => `Connection to the marketplace as user ${name}`,
    },
  },
});
