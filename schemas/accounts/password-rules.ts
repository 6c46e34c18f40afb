import type { FieldProblem } from '../../core/errors.ts';
import { invisible } from '../describe-problems.ts';
import { commonPasswords } from './common-passwords.ts';

export const passwordLengthMin = 10;
/** Bounds the cost of hashing, which grows with the length. No person types a longer password. */
export const passwordLengthMax = 128;
const differentMin = 5;

/** The rules of a new password, for the interface document. */
export const passwordRules = `At least ${passwordLengthMin} characters that can be seen, ${differentMin} of them different; none of the commonest, and neither the email address nor a part of it`;

interface NewPassword {
  /** Name of the field that holds it. */
  readonly field: string;
  readonly password: string;
  /** In lower case. */
  readonly email: string;
}

/**
 * Problems of a new password beyond its schema. It is checked in the form that is hashed (NFKC), without invisible characters and
 * outer spaces, so twelve blanks are no password. Passwords that are older than a rule still sign in.
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
