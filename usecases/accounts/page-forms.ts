import type { Context } from '../context.ts';

type Needs = Pick<Context, 'pageTokens' | 'now'>;

/** The token that a form of a public page carries when it is shown to `holder`. */
export const signPageForm = ({ pageTokens, now }: Needs, holder: string): string => pageTokens.signForm(holder, now());

/** True when the form was shown to one of `holders` and its token has not expired. */
export const isPageFormOf = ({ pageTokens, now }: Needs, token: string, holders: readonly string[]): boolean =>
  holders.some((holder) => pageTokens.isFormOf(token, holder, now()));
