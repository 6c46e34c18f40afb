import { disconnectMember } from '../../usecases/resellers/disconnect-member.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function deleteMyDeal({ scope, context }: ScopedCall): Promise<Answer> {
  await disconnectMember(context, scope);
  return { status: 204 };
}
