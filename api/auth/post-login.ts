import { logIn } from '../../usecases/accounts/log-in.ts';
import { readLogin } from '../../schemas/accounts/sign-in.ts';
import type { Answer, Call } from '../http/route.ts';
import { answerSignedIn, callerOf } from './answer-signed-in.ts';

export async function postLogin(call: Call): Promise<Answer> {
  const { publicUrl } = call.context;
  return answerSignedIn(200, await logIn(call.context, callerOf(call), readLogin(call.body)), publicUrl);
}
