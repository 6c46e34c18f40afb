import Type, { type Static } from 'typebox';
import { problem } from '../../features/rules/field-problems.ts';
import { accessKinds } from '../../features/accounts/rules/account-access.ts';
import { compileReader, validationFailed } from '../compile-schema.ts';
import { time } from '../fields.ts';
import {
  accountSchema,
  emailField,
  isEmail,
  mailLanguageField,
  newPasswordField,
  normaliseEmail,
  passwordLengthMax,
} from './sign-in.ts';

const page = Type.Object(
  {
    slug: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Of its page, `/p/{slug}`' }),
    displayName: Type.String(),
  },
  { $id: 'ResellerPage', description: 'A reseller as its public page names it' },
);
const pageOrNull = (description: string) => Type.Union([page, Type.Null()], { description });

/** The answer of `GET /auth/me`. */
export const ownAccountSchema = Type.Object(
  {
    ...accountSchema.properties,
    emailConfirmed: Type.Boolean({
      description:
        'Whether a link that was sent to the address was opened; notifications are sent to a confirmed address only',
    }),
    isOperator: Type.Boolean({
      description: 'Whether items show where their work is in the workflow engine; it gives no right to data',
    }),
    hasMarketplaceLogin: Type.Boolean({
      description: "Whether the marketplace's own login page can be used to connect; else user id and token are sent",
    }),
    reseller: pageOrNull("The account's own page while it has a reseller agreement, else null"),
    memberOf: pageOrNull('The reseller whose member the account is; null when it is nobody’s'),
  },
  { $id: 'OwnAccount', title: 'OwnAccount', description: 'Who is signed in, and what there is for them' },
);
export type OwnAccountAnswer = Static<typeof ownAccountSchema>;

const nullableString = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });

const openSessionSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    createdAt: time('When the session began'),
    lastUsedAt: time('When its access token was renewed last, which happens every 15 minutes while it is used'),
    expiresAt: time('When it ends unless it is renewed'),
    address: nullableString('IP address that it was opened from; null when that is not known'),
    userAgent: nullableString('What the program called itself (`User-Agent`), at most 200 characters'),
    isCurrent: Type.Boolean({ description: 'Whether it is the session that asks' }),
  },
  { $id: 'OpenSession' },
);

export const openSessionListSchema = Type.Object(
  { sessions: Type.Array(openSessionSchema) },
  { $id: 'OpenSessionList' },
);

/** 256 bits in base64url. Any other text gets the same answer as an expired link. */
const token = Type.String({
  description: 'From the link in the mail: what follows `#token=`',
  maxLength: 100,
  examples: ['rO0yqjzq0vFqXxk6mV9wq0T1m3o5uYb2d4sWc7eGh8A'],
});

export const forgottenPasswordSchema = Type.Object(
  { email: emailField, language: Type.Optional(mailLanguageField) },
  { $id: 'ForgottenPassword' },
);

export const passwordResetSchema = Type.Object({ token, newPassword: newPasswordField }, { $id: 'PasswordReset' });

export const emailChangeSchema = Type.Object(
  { email: emailField, password: Type.String({ maxLength: passwordLengthMax }) },
  { $id: 'EmailChange' },
);

export const emailConfirmationSchema = Type.Object({ token }, { $id: 'EmailConfirmation' });

export const accessRevocationSchema = Type.Object({ token }, { $id: 'AccessRevocation' });

const grants = (description: string) =>
  Type.Array(
    Type.Object(
      {
        kind: Type.Enum([...accessKinds], { $id: 'AccessKind' }),
        name: Type.String({
          description:
            'The beginning of a key, the origin of a webhook, the name of a reseller, the user id at the marketplace',
        }),
        isTest: Type.Boolean({ description: "Whether it is in the account's sandbox" }),
      },
      { $id: 'AccessGrant', description: 'What acts for the account, or is told of it, without its password' },
    ),
    { description },
  );

const revoked = grants('What was taken back');

export const linkOutcomeSchema = Type.Object(
  {
    revoked,
    active: grants('What goes on'),
    revocationToken: nullableString(
      'With which `POST /auth/access/revoke` takes all of that back within a day; null when there is nothing',
    ),
  },
  { $id: 'LinkOutcome', description: 'What a link of a mail has taken back and what it has left' },
);

export const revokedAccessSchema = Type.Object({ revoked }, { $id: 'RevokedAccess' });

export type ForgottenPassword = Static<typeof forgottenPasswordSchema>;
export type PasswordReset = Static<typeof passwordResetSchema>;
export type EmailChange = Static<typeof emailChangeSchema>;

const readForgottenFields = compileReader(forgottenPasswordSchema);
const readChangeFields = compileReader(emailChangeSchema);

/** Each returns the email in lower case. Throws VALIDATION_FAILED. */
export const readForgottenPassword = (body: unknown): ForgottenPassword => withEmail(readForgottenFields(body));
/** Throws VALIDATION_FAILED. */
export const readEmailChange = (body: unknown): EmailChange => withEmail(readChangeFields(body));

export const readPasswordReset = compileReader(passwordResetSchema);
export const readEmailConfirmation = compileReader(emailConfirmationSchema);
export const readAccessRevocation = compileReader(accessRevocationSchema);

function withEmail<Body extends { readonly email: string }>(body: Body): Body {
  const email = normaliseEmail(body.email);
  if (!isEmail(email)) throw validationFailed([problem('email', 'not_email')]);
  return { ...body, email };
}

const choice = {
  webhookDisabled: Type.Boolean({ description: 'When a webhook was switched off after too many failures' }),
  tokenExpired: Type.Boolean({ description: 'When the marketplace no longer accepts the connection' }),
  sale: Type.Boolean({ description: 'For each sale' }),
  weeklySummary: Type.Boolean({
    description: 'Each Monday morning: what was sold in seven days, and what needs attention',
  }),
  language: mailLanguageField,
};

export const noticesWishSchema = Type.Object(choice, { $id: 'NoticesWish', title: 'NoticesWish' });

export const noticesSchema = Type.Object(
  {
    ...choice,
    isAvailable: Type.Boolean({ description: 'Whether the service sends mails, and the address is confirmed' }),
  },
  { $id: 'Notices', title: 'Notices', description: 'Which emails the account gets' },
);

export type NoticesWish = Static<typeof noticesWishSchema>;
export type NoticesView = Static<typeof noticesSchema>;

/** Throws VALIDATION_FAILED. */
export const readNoticesWish = compileReader(noticesWishSchema);
