import { readLogin } from '../../schemas/accounts/sign-in.ts';
import type { Answer, Call } from '../http/route.ts';
import { answerSignedIn, callerOf } from './answer-signed-in.ts';

export async function postLogin(call: Call): Promise<Answer> {
  const { accounts, publicUrl } = call.dependencies;
  return answerSignedIn(200, await accounts.logIn(callerOf(call), readLogin(call.body)), publicUrl);
}
