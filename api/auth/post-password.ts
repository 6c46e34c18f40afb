import { changePassword } from '../../usecases/accounts/change-password.ts';
import { readPasswordChange } from '../../schemas/accounts/sign-in.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function postPassword(call: ScopedCall): Promise<Answer> {
  await changePassword(call.context, call.scope, { ...readPasswordChange(call.body), caller: call });
  return { status: 204 };
}
