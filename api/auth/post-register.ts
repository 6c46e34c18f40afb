import { readRegistration } from '../../schemas/accounts/sign-in.ts';
import type { Answer, Call } from '../http/route.ts';
import { answerSignedIn, callerOf } from './answer-signed-in.ts';

export async function postRegister(call: Call): Promise<Answer> {
  const { accounts, publicUrl } = call.dependencies;
  return answerSignedIn(201, await accounts.register(callerOf(call), readRegistration(call.body)), publicUrl);
}
