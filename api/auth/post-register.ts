import { readRegistration } from '../../schemas/accounts/sign-in.ts';
import { noStore } from '../http/no-store.ts';
import type { Answer, Call } from '../http/route.ts';

export async function postRegister({ body, dependencies }: Call): Promise<Answer> {
  return { status: 201, body: await dependencies.accounts.register(readRegistration(body)), headers: noStore };
}
