import type { Refusal, RefusalCode } from '../../../features/rules/errors.ts';
import { resellerField } from '../../../features/resellers/profiles.ts';
import type { FormName } from '../page-call.ts';
import type { Form } from '../read-form.ts';
import type { Texts } from './texts.ts';

export interface Trouble {
  readonly of: FormName;
  readonly refusal: Refusal;
  readonly typed: Form;
}

/** A refused form with texts for people. */
export interface ShownTrouble {
  readonly of: FormName;
  readonly message: string;
  readonly typed: Form;
  /** Problems by field name. */
  readonly problems: Readonly<Record<string, string>>;
}

/** Returns undefined for a refusal without a text on the page; an error page is shown then. */
export function showTrouble({ of, refusal, typed }: Trouble, words: Texts): ShownTrouble | undefined {
  const { problems: told } = words;
  const tell = toldByCode[refusal.code];
  return tell && { of, typed, problems: {}, ...tell(told, { of, refusal }) };
}

type Tell = (told: Texts['problems'], trouble: Omit<Trouble, 'typed'>) => Partial<ShownTrouble> & { message: string };

const toldByCode: Readonly<Partial<Record<RefusalCode, Tell>>> = {
  VALIDATION_FAILED: (told, { of, refusal }) => ({
    message: of === 'sign-in' ? told.checkSignIn : told.checkFields,
    problems: fieldProblems(refusal, told),
  }),
  UNAUTHORIZED: (told, { of }) =>
    of === 'sign-in'
      ? { message: told.checkSignIn, problems: { password: told.wrongPassword } }
      : { message: told.signedOut },
  CONFLICT: (told, { of, refusal: { details = [] } }) => {
    if (details.some(({ field }) => field === resellerField)) return { message: told.pageChanged };
    return of === 'sign-up'
      ? { message: told.checkFields, problems: { email: told.emailTaken } }
      : { message: told.cannotJoin };
  },
  ACCOUNT_SUSPENDED: (told) => ({ message: told.suspended }),
  ALREADY_CONNECTED: (told) => ({ message: told.cannotJoin }),
  ORIGIN_FORBIDDEN: (told) => ({ message: told.staleForm }),
  RATE_LIMITED: (told, { refusal }) => ({ message: told.tooMany(Math.ceil((refusal.retryAfterSeconds ?? 60) / 60)) }),
};

/** All rules of a field are shown, whichever of them was broken. */
function fieldProblems({ details = [] }: Refusal, told: Texts['problems']): ShownTrouble['problems'] {
  const texts: Readonly<Record<string, string>> = { name: told.name, email: told.email, password: told.password };
  return Object.fromEntries(
    details.flatMap(({ field }) => {
      const text = texts[field];
      return text === undefined ? [] : [[field, text] as const];
    }),
  );
}
