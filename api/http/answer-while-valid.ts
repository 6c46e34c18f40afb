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
 * The answer of `work`, which may read a slow body and take its time. What has had no effect (a read, a refusal, an answer
 * given again) is told only if the credential still counts: a revoked key and an ended session fail at once, requests in flight
 * included (specification "Authentication" 1). Writes ask for themselves, right before they take effect; what did take effect is told.
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
