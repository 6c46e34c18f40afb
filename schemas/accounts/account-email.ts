import Type, { type Static } from 'typebox';
import { compileReader, validationFailed } from '../compile-schema.ts';
import { emailField, isEmail, mailLanguageField, newPasswordField, normaliseEmail } from './sign-in.ts';
import { passwordLengthMax } from './password-rules.ts';

/** 256 bits in base64url; any other text is answered like a link that is too old. */
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

export type ForgottenPassword = Static<typeof forgottenPasswordSchema>;
export type PasswordReset = Static<typeof passwordResetSchema>;
export type EmailChange = Static<typeof emailChangeSchema>;

const readForgottenFields = compileReader(forgottenPasswordSchema);
const readChangeFields = compileReader(emailChangeSchema);

/** Each returns the email in lower case. Throws VALIDATION_FAILED. */
export const readForgottenPassword = (body: unknown): ForgottenPassword => withEmail(readForgottenFields(body));
export const readEmailChange = (body: unknown): EmailChange => withEmail(readChangeFields(body));

export const readPasswordReset = compileReader(passwordResetSchema);
export const readEmailConfirmation = compileReader(emailConfirmationSchema);

function withEmail<Body extends { readonly email: string }>(body: Body): Body {
  const email = normaliseEmail(body.email);
  if (!isEmail(email)) throw validationFailed([{ field: 'email', message: 'must be an email address' }]);
  return { ...body, email };
}
