import { readMyProfile } from '../../usecases/resellers/read-my-profile.ts';
import { readQuery } from '../../schemas/query.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getMyProfile({ scope, query, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: await readMyProfile(context, scope) };
}
