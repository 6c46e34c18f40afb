import type { AccessGrant } from '../../accounts/rules/account-access.ts';
import type { MailLanguage } from './mail.ts';

/** Of the mail after a reset of the password. The link is null when there is nothing to take back. */
export interface ToldAccess {
  readonly revoked: readonly AccessGrant[];
  readonly active: readonly AccessGrant[];
  readonly revokeLink: string | null;
}

/** An account may have hundreds of keys. */
const namedMax = 20;

const words = {
  sv: {
    revoked:
      'Kontots e-postadress hade aldrig bekräftats, så någon annan kan ha skapat kontot. Därför har vi tagit bort det här:',
    active: 'Det här är fortfarande aktivt på kontot och fungerar utan lösenordet:',
    offer: 'Känner du inte igen allt? Ta bort alltihop här. Länken fungerar i ett dygn:',
    more: (count: number) => `och ${count} till`,
    api_key: (name: string) => `API-nyckeln ${name}…`,
    webhook: (name: string) => `webhooken till ${name}`,
    membership: (name: string) => `medlemskapet hos ${name}`,
    marketplace: 'anslutningen till marknadsplatsen',
    inSandbox: ' (i sandlådan)',
  },
  en: {
    revoked:
      'The email address of the account had never been confirmed, so someone else may have created the account. That is why we have removed this:',
    active: 'This is still active on the account, and works without the password:',
    offer: 'Is there anything you don’t recognise? Remove all of it here. The link works for 24 hours:',
    more: (count: number) => `and ${count} more`,
    api_key: (name: string) => `the API key ${name}…`,
    webhook: (name: string) => `the webhook to ${name}`,
    membership: (name: string) => `the membership of ${name}`,
    marketplace: 'the connection to the marketplace',
    inSandbox: ' (in the sandbox)',
  },
} as const;

/** What a reset took back, or left, as paragraphs of its mail; none for an account that nothing acts for. */
export function accessParagraphs(language: MailLanguage, { revoked, active, revokeLink }: ToldAccess): string[] {
  const own = words[language];
  return [
    ...(revoked.length === 0 ? [] : [own.revoked, listOf(language, revoked)]),
    ...(active.length === 0 ? [] : [own.active, listOf(language, active)]),
    ...(active.length === 0 || revokeLink === null ? [] : [own.offer, revokeLink]),
  ];
}

function listOf(language: MailLanguage, grants: readonly AccessGrant[]): string {
  const named = grants.slice(0, namedMax).map((grant) => `- ${nameOf(language, grant)}`);
  const left = grants.length - named.length;
  return [...named, ...(left > 0 ? [`- ${words[language].more(left)}`] : [])].join('\n');
}

/** A connection is told without the user's id, and a key without its label: a stranger may have chosen both. */
function nameOf(language: MailLanguage, { kind, name, isTest }: AccessGrant): string {
  const own = words[language];
  const text = kind === 'marketplace' ? own.marketplace : own[kind](name);
  return kind === 'webhook' && isTest ? `${text}${own.inSandbox}` : text;
}
