import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function deleteSession(call: ScopedCall): Promise<Answer> {
  await call.dependencies.accounts.endOneSession(call.scope, param(call, 'id'));
  return { status: 204 };
}
