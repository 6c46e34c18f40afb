import { connectMember } from '../../usecases/resellers/connect-member.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function postConnect(call: ScopedCall): Promise<Answer> {
  const { isNew, joined } = await connectMember(call.context, call.scope, param(call, 'slug'));
  return { status: isNew ? 201 : 200, body: joined };
}
