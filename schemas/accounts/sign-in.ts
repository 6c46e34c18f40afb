import Type, { type Static } from 'typebox';
import { problem, type FieldProblem } from '../../features/rules/field-problems.ts';
import { mailLanguages } from '../../features/mail/rules/mail.ts';
import { compileReader, validationFailed } from '../compile-schema.ts';
import { invisible, notBlankPattern } from '../validation-error.ts';
import { text } from '../fields.ts';
import { commonPasswords } from './common-passwords.ts';

const passwordLengthMin = 10;
/** Bounds the cost of hashing, which grows with the length. No person types a longer password. */
export const passwordLengthMax = 128;
const differentMin = 5;

/** The rules of a new password, for the interface document. */
const passwordRules = `At least ${passwordLengthMin} characters that can be seen, ${differentMin} of them different; none of the commonest, also with other signs at its ends, and neither the email address nor a part of it`;

interface NewPassword {
  /** Name of the field that holds the password. */
  readonly field: string;
  readonly password: string;
  /** In lower case. */
  readonly email: string;
}

/**
 * Problems of a new password beyond its schema. It is checked in the form that is hashed (NFKC), without invisible
 * characters and outer spaces, so twelve blanks are no password. Passwords that are older than a rule still work.
 */
export function passwordProblems({ field, password, email }: NewPassword): FieldProblem[] {
  const seen = password.normalize('NFKC').replaceAll(invisibleCharacters, '').trim().toLowerCase();
  const characters = [...seen];
  if (characters.length < passwordLengthMin) return [problem(field, 'too_few_visible', { min: passwordLengthMin })];
  if (new Set(characters).size < differentMin) return [problem(field, 'too_few_different', { min: differentMin })];
  if (isCommon(seen)) return [problem(field, 'common_password')];
  return [email, ...email.split('@')].includes(seen) ? [problem(field, 'password_is_email')] : [];
}

/** Also with other signs at its ends, and with the usual signs in place of letters: `Password123!`, `p@$$w0rd123`. */
function isCommon(seen: string): boolean {
  const bare = seen.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  return [seen, bare].some((text) => commonPasswords.has(text) || commonPasswords.has(withLetters(text)));
}

const letterOf: Readonly<Record<string, string>> = { '@': 'a', $: 's', '0': 'o' };
const withLetters = (text: string): string => text.replaceAll(/[@$0]/g, (sign) => letterOf[sign] ?? sign);

const invisibleCharacters = new RegExp(`[${invisible}]`, 'gu');

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
    ...(isEmail(email) ? [] : [problem('email', 'not_email')]),
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

/** The form in which emails are stored and compared: trimmed, lower case. */
export const normaliseEmail = (value: string): string => value.trim().toLowerCase();

const atom = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+$/u;
const domainLabel = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u;

/**
 * Only a mail can prove an address. The form is that of RFC 5321 without quoted parts and literal addresses: a mail program cleans
 * everything else (`<a@b.se>`, control characters), and each way to write a mailbox would have mails of its own an hour.
 */
export function isEmail(value: string): boolean {
  const [local = '', domain = '', ...more] = value.split('@');
  const labels = domain.split('.');
  const isPlain = value.normalize('NFKC') === value && more.length === 0 && local.length <= 64;
  return (
    isPlain &&
    labels.length > 1 &&
    local.split('.').every((part) => atom.test(part)) &&
    labels.every((part) => domainLabel.test(part))
  );
}
