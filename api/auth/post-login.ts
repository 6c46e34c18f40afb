import { readLogin } from '../../schemas/accounts/sign-in.ts';
import { noStore } from '../http/no-store.ts';
import type { Answer, Call } from '../http/route.ts';

export async function postLogin({ body, dependencies }: Call): Promise<Answer> {
  return { status: 200, body: await dependencies.accounts.logIn(readLogin(body)), headers: noStore };
}
