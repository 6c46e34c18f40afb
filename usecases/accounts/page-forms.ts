import type { AccountSideContext } from '../account-side-context.ts';

type Context = Pick<AccountSideContext, 'pageTokens' | 'now'>;

/** The token that a form of a public page carries when it is shown to `holder`. */
export const signPageForm = ({ pageTokens, now }: Context, holder: string): string =>
  pageTokens.signForm(holder, now());

/** Whether a form was shown to one of `holders`, not too long ago. */
export const isPageFormOf = ({ pageTokens, now }: Context, token: string, holders: readonly string[]): boolean =>
  holders.some((holder) => pageTokens.isFormOf(token, holder, now()));
