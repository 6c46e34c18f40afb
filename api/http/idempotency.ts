import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../features/rules/errors.ts';
import type { Scope } from '../../features/rules/scope.ts';
import { fingerprintOf } from '../../platform/security/fingerprint.ts';
import { answerOnce, reservedFirst } from '../../features/accounts/answer-once.ts';
import type { Answer, CredentialRoute, Parameter, ScopedCall } from './route.ts';
import { StreamedBody } from './streamed-body.ts';

/** 1 to 255 visible ASCII characters. Node joins two headers with a space, which does not match. */
const form = /^[!-~]{1,255}$/;

export const idempotencyKey: Parameter = {
  component: 'IdempotencyKey',
  description:
    'Names this request for 24 hours: sent again under the same name, it is answered again but not done again',
  schema: { type: 'string', pattern: form.source, examples: ['b2f1c0de-order-1042'] },
};

export const replayedHeader = 'Idempotency-Replayed';

/** Throws {@link Refusal} BAD_REQUEST for an invalid key. */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const value = headers['idempotency-key'];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && form.test(value)) return value;
  throw new Refusal('BAD_REQUEST', 'Idempotency-Key must be 1 to 255 visible ASCII characters, and there only once');
}

/**
 * Returns the handler's answer. A repeated call with the same `Idempotency-Key` gets the first answer with `Idempotency-Replayed:
 * true`. `bodyDigest` is the digest of the body's bytes, '' without a body.
 * Throws {@link Refusal} as readIdempotencyKey and answerOnce do.
 */
export async function handleOnce(route: CredentialRoute, call: ScopedCall, bodyDigest: string): Promise<Answer> {
  const key = route.idempotent === true ? readIdempotencyKey(call.headers) : undefined;
  if (key === undefined) return route.handle(call);
  const { context, body } = call;
  const { answer, isReplayed } = await answerOnce(context, call.scope, {
    key,
    target: [route.method, route.path, ...parts(call.params)],
    fingerprint: () => fingerprintOfCall(call, body instanceof StreamedBody ? body.digest() : bodyDigest),
    ...(body instanceof StreamedBody && { drain: () => body.drain() }),
    work: (scope) =>
      route.handle({ ...call, scope, context: { ...context, newId: reservedFirst(scope, context.newId) } }),
  });
  return isReplayed ? { ...answer, headers: { ...answer.headers, [replayedHeader]: 'true' } } : answer;
}

const fingerprintOfCall = ({ query }: ScopedCall, bodyDigest: string): string =>
  fingerprintOf(JSON.stringify([...parts(query), bodyDigest]));

/** Sorted, so the order of the parameters does not matter. */
const parts = (values: Readonly<Record<string, string>>): string[] =>
  Object.entries(values)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flat();
