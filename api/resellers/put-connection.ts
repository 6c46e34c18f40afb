import { renameMember } from '../../usecases/resellers/rename-member.ts';
import { accountId } from '../../core/ids.ts';
import { readMemberReference } from '../../schemas/resellers/member-connection.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function putConnection(call: ScopedCall): Promise<Answer> {
  const { externalId } = readMemberReference(call.body);
  const wanted = { memberAccountId: accountId(param(call, 'memberUserId')), externalId };
  return { status: 200, body: await renameMember(call.context, call.scope, wanted) };
}
