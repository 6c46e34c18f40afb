import {
  readEmailChange,
  readEmailConfirmation,
  readForgottenPassword,
  readNoticesWish,
  readPasswordReset,
} from '../../schemas/accounts/own-account.ts';
import {
  askForConfirmation,
  askForNewEmail,
  askForNewPassword,
  confirmEmail,
  setForgottenPassword,
} from '../../usecases/accounts/account-email.ts';
import { chooseNotices, readNotices } from '../../usecases/accounts/own-account.ts';
import type { Answer, Call, ScopedCall } from '../http/route.ts';

export async function postForgottenPassword(call: Call): Promise<Answer> {
  await askForNewPassword(call.context, call, readForgottenPassword(call.body));
  return { status: 202 };
}

export async function postPasswordReset(call: Call): Promise<Answer> {
  await setForgottenPassword(call.context, call, readPasswordReset(call.body));
  return { status: 204 };
}

export async function postEmail(call: ScopedCall): Promise<Answer> {
  await askForNewEmail(call.context, call.scope, { ...readEmailChange(call.body), caller: call });
  return { status: 202 };
}

export async function postEmailVerification({ context, scope }: ScopedCall): Promise<Answer> {
  await askForConfirmation(context, scope);
  return { status: 202 };
}

export async function postEmailConfirmation(call: Call): Promise<Answer> {
  await confirmEmail(call.context, call, readEmailConfirmation(call.body));
  return { status: 204 };
}

export async function getNotices({ context, scope }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readNotices(context, scope) };
}

export async function putNotices({ context, scope, body }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await chooseNotices(context, scope, readNoticesWish(body)) };
}
