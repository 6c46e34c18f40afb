import { registerAccount } from '../../usecases/accounts/register-account.ts';
import { readRegistration } from '../../schemas/accounts/sign-in.ts';
import type { Answer, Call } from '../http/route.ts';
import { answerSignedIn, callerOf } from './answer-signed-in.ts';

export async function postRegister(call: Call): Promise<Answer> {
  const { publicUrl } = call.context;
  return answerSignedIn(
    201,
    await registerAccount(call.context, callerOf(call), readRegistration(call.body)),
    publicUrl,
  );
}
