import type { FieldProblem } from '../../core/errors.ts';
import { invisible } from '../describe-problems.ts';
import { commonPasswords } from './common-passwords.ts';

export const passwordLengthMin = 10;
/** Hashing a password costs by its length too. No person types more. */
export const passwordLengthMax = 128;
const differentMin = 5;

/** What a new password must be, for the document of the interface. */
export const passwordRules = `At least ${passwordLengthMin} characters that can be seen, ${differentMin} of them different; none of the commonest, and neither the email address nor a part of it`;

interface NewPassword {
  /** Name of the field that holds it. */
  readonly field: string;
  readonly password: string;
  /** In lower case. */
  readonly email: string;
}

/**
 * What is wrong with a new password, beyond what its schema says. It is looked at as it will be hashed (NFKC), without what can't be
 * seen and the spaces around it: twelve blanks are no password. Passwords from before a rule still sign in.
 */
export function passwordProblems({ field, password, email }: NewPassword): FieldProblem[] {
  const seen = password.normalize('NFKC').replaceAll(invisibleCharacters, '').trim().toLowerCase();
  const characters = [...seen];
  if (characters.length < passwordLengthMin)
    return [{ field, message: `must be at least ${passwordLengthMin} characters that can be seen` }];
  if (new Set(characters).size < differentMin)
    return [{ field, message: `must have at least ${differentMin} different characters` }];
  if (commonPasswords.has(seen)) return [{ field, message: 'is one of the commonest passwords' }];
  if ([email, ...email.split('@')].includes(seen))
    return [{ field, message: 'must not be the email address or a part of it' }];
  return [];
}

const invisibleCharacters = new RegExp(`[${invisible}]`, 'gu');
