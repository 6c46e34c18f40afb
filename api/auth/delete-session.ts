import { endOneSession } from '../../usecases/accounts/end-sessions.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function deleteSession(call: ScopedCall): Promise<Answer> {
  await endOneSession(call.context, call.scope, param(call, 'id'));
  return { status: 204 };
}
