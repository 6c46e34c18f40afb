import { changeStatus } from '../../usecases/items/change-status.ts';
import { readStatusRequest } from '../../schemas/items/status-request.ts';
import type { Answer, ScopedCall } from '../http/route.ts';
import { answerWrite, readTarget, updateMessages } from './answer-write.ts';

/** 202: the item is off the service, its auction comes down in the background. */
export async function patchStatus(call: ScopedCall): Promise<Answer> {
  const target = readTarget(call);
  const { status, warnings } = readStatusRequest(call.body);
  const result = await changeStatus(call.context, call.scope, { ...target, status });
  const answered = { ...result, warnings: [...warnings, ...result.warnings] };
  return answerWrite(target, answered, updateMessages('Status'));
}
