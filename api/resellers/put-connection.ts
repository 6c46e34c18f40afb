import { accountId } from '../../core/ids.ts';
import { readMemberReference } from '../../schemas/resellers/member-connection.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function putConnection(call: ScopedCall): Promise<Answer> {
  const { externalId } = readMemberReference(call.body);
  const wanted = { memberAccountId: accountId(param(call, 'memberUserId')), externalId };
  return { status: 200, body: await call.dependencies.resellers.renameMember(call.scope, wanted) };
}
