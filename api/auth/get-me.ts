import { readOwnAccount } from '../../usecases/accounts/read-own-account.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getMe({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readOwnAccount(context, scope) };
}
