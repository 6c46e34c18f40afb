import Type, { type Static } from 'typebox';
import { mailLanguages } from '../../core/mail/mail.ts';
import { compileReader, validationFailed } from '../compile-schema.ts';
import { notBlankPattern } from '../describe-problems.ts';
import { text } from '../text.ts';
import { passwordLengthMax, passwordLengthMin, passwordProblems, passwordRules } from './password-rules.ts';

const emailLengthMax = 254;

export const emailField = text({
  description: 'Email address, in any case',
  maxLength: emailLengthMax,
  examples: ['lager@example.se'],
});

export const newPasswordField = text({
  description: passwordRules,
  minLength: passwordLengthMin,
  maxLength: passwordLengthMax,
  examples: ['tre ord på rad'],
});

export const mailLanguageField = Type.Enum([...mailLanguages], {
  $id: 'MailLanguage',
  description: 'Language of mails; Swedish without it',
});

export const registrationSchema = Type.Object(
  {
    email: emailField,
    password: newPasswordField,
    name: text({
      description: 'Name of the person or organisation',
      minLength: 1,
      maxLength: 120,
      pattern: notBlankPattern,
      format: 'title',
    }),
    language: Type.Optional(mailLanguageField),
  },
  { $id: 'Registration' },
);

export const loginSchema = Type.Object(
  { email: emailField, password: Type.String({ maxLength: passwordLengthMax }) },
  { $id: 'Login' },
);

export const passwordChangeSchema = Type.Object(
  { oldPassword: Type.String({ maxLength: passwordLengthMax }), newPassword: newPasswordField },
  { $id: 'PasswordChange' },
);

export const accountSchema = Type.Object(
  { id: Type.String({ format: 'uuid' }), email: Type.String(), name: Type.String() },
  { $id: 'Account' },
);

export const sessionSchema = Type.Object(
  {
    accessToken: Type.String({ description: 'Sent as Authorization: Bearer; valid for 15 minutes' }),
    account: accountSchema,
  },
  { $id: 'Session' },
);

export type Registration = Static<typeof registrationSchema>;
export type PasswordChange = Static<typeof passwordChangeSchema>;
export type Login = Static<typeof loginSchema>;

const readRegistrationFields = compileReader(registrationSchema);
const readLoginFields = compileReader(loginSchema);

/** Returns the email in lower case. Throws VALIDATION_FAILED. */
export function readRegistration(body: unknown): Registration {
  const { password, ...registration } = readRegistrationFields(body);
  const email = normaliseEmail(registration.email);
  const problems = [
    ...(isEmail(email) ? [] : [{ field: 'email', message: 'must be an email address' }]),
    ...passwordProblems({ field: 'password', password, email }),
  ];
  if (problems.length > 0) throw validationFailed(problems);
  return { ...registration, email, password, name: registration.name.trim() };
}

/** Returns the email in lower case. Throws VALIDATION_FAILED. */
export function readLogin(body: unknown): Login {
  const login = readLoginFields(body);
  return { ...login, email: normaliseEmail(login.email) };
}

/** Throws VALIDATION_FAILED. Rules that need the account are checked where the account is known. */
export const readPasswordChange = compileReader(passwordChangeSchema);

export const normaliseEmail = (value: string): string => value.trim().toLowerCase();

/** Catches typing errors only: just an email sent to the address could prove it. */
export const isEmail = (value: string): boolean => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value);
