import { changeMyProfile } from '../../usecases/resellers/change-my-profile.ts';
import { readQuery } from '../../schemas/query.ts';
import { readMyProfile } from '../../schemas/resellers/my-profile.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function putMyProfile({ scope, query, body, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: await changeMyProfile(context, scope, readMyProfile(body)) };
}
