import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import type { Context } from '../../usecases/context.ts';
import { replayedHeader } from './idempotency.ts';
import type { Answer, Route } from './route.ts';

interface Caller {
  readonly scope: Scope;
  readonly context: Pick<Context, 'confirmCredential'>;
}

/**
 * Returns the answer of `work`, which may read a slow body. An answer without effect (a read, a refusal, a repeated answer) is
 * sent only while the credential is valid. So a revoked key and an ended session fail at once, requests in flight included
 * (specification "Authentication" 1). Writes check for themselves, right before they take effect, and their answer is always
 * sent.
 */
export async function answerWhileValid(
  { method }: Pick<Route, 'method'>,
  { scope, context }: Caller,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const answer = await confirmBeforeRefusing({ scope, context }, work);
  const hadNoEffect = method === 'get' || answer.headers?.[replayedHeader] !== undefined;
  if (hadNoEffect) await context.confirmCredential(scope);
  return answer;
}

async function confirmBeforeRefusing({ scope, context }: Caller, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'UNAUTHORIZED') await context.confirmCredential(scope);
    throw error;
  }
}
