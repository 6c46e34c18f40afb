import type { Request, RequestHandler, Response } from 'express';
import { Refusal } from '../../features/rules/errors.ts';
import { problem } from '../../features/rules/field-problems.ts';
import { keyHolderOf, type Scope } from '../../features/rules/scope.ts';
import { badQuery } from '../../schemas/query.ts';
import { actForMember } from '../../features/accounts/authenticate-session.ts';
import type { Context } from '../../features/context.ts';
import type { ApiParts, Served } from './api-parts.ts';
import { authenticate } from './authenticate.ts';
import { noStore } from './error-response.ts';
import { handleOnce, replayedHeader } from './idempotency.ts';
import { addressOf, admitCaller, admitStranger, pointsOfBytes } from './rate-limit.ts';
import { bodyDigestOf, readJsonBody } from './read-json-body.ts';
import { recordOf, whenClosed } from './request-record.ts';
import { isForMembers, type Answer, type Call, type Route } from './route.ts';
import { sendAnswer, sendFile, sendStream } from './send-answer.ts';
import { openStreamedBody, type Pay, type StreamedBody } from './streamed-body.ts';

/**
 * Checks credential and limits first, so that unauthorised calls never make the service read bodies. Query, body, handler and
 * answer follow.
 */
export function serveRoute(route: Route, served: Served): RequestHandler {
  return async (request, response) => {
    recordOf(response).route = route.path;
    // Answers to a credential, refusals included, are for its holder alone. Public answers set their own caching.
    if (route.credential !== 'none')
      for (const [name, value] of Object.entries(noStore)) response.setHeader(name, value);
    const { stream, file, ...answer } = await answerCall(route, served, { request, response });
    if (file !== undefined) await sendFile(response, { ...answer, file });
    else if (stream !== undefined) await sendStream(response, { ...answer, stream });
    else sendAnswer(response, answer);
  };
}

async function answerCall(
  route: Route,
  { context, parts }: Served,
  { request, response }: { request: Request; response: Response },
): Promise<Answer> {
  const record = recordOf(response);
  const params = pathParams(request);
  const { headers } = request;
  const { requestId, trace } = record;
  const address = addressOf(request);
  const { rateLimits: limits, isReady } = parts;
  record.externalId = params['external_id'];
  if (route.credential === 'none') {
    await admitStranger(route, limits, { request, response });
    const query = queryParams(request);
    const { body, repeated } = await readJsonBody(request, route);
    return route.handle({ context, params, query, headers, body, repeated, requestId, address, isReady });
  }
  const check = () => authenticate(context, route, { headers, address });
  const caller = await admitCaller(route, { limits, authenticate: check }, { request, response });
  record.scope = { ...caller.scope, requestId, ...(trace && { trace }) };
  const scope = await scopeFor(route, context, { scope: record.scope, request });
  record.scope = scope;
  record.caller = keyHolderOf(scope);
  return answerWhileValid(route, { scope, context }, async () => {
    const query = ownQuery(route, request, scope);
    const stream = streamFor(route, parts, { request, pay: caller.pay });
    const { body, repeated, bytes } = stream
      ? { body: stream, repeated: [], bytes: 0 }
      : await readJsonBody(request, route);
    await caller.charge(pointsOfBytes(bytes));
    // Session writes are rare, so a second check after a slow body costs little.
    if (scope.credential.kind === 'session' && route.method !== 'get') await context.confirmCredential(scope);
    const { charge, pay } = caller;
    const own = { scope, charge, pay, whenClosed: (release: () => void) => whenClosed(response, release) };
    const call = { context, params, query, headers, body, repeated, requestId, address, isReady, ...own };
    try {
      return await handleOnce(route, call, bodyDigestOf(request));
    } finally {
      await stream?.close();
    }
  });
}

/** Returns the scope of the call: a reseller's session may name a member. Throws Refusal NOT_FOUND. */
async function scopeFor(
  route: Route,
  context: Context,
  { scope, request }: { scope: Scope; request: Request },
): Promise<Scope> {
  const member = isForMembers(route) ? queryParams(request)['member'] : undefined;
  return member === undefined ? scope : actForMember(context, scope, member);
}

/**
 * Removes `member` from the query, so a handler can only use the scope and never ignore it. On other session routes the parameter
 * is refused even if the route reads no query: the call would act on the reseller's own account.
 */
function ownQuery(route: Route, request: Request, { credential }: Scope): Call['query'] {
  const query = queryParams(request);
  const { member, ...own } = query;
  if (isForMembers(route)) return own;
  if (member !== undefined && credential.kind === 'session') throw badQuery([problem('member', 'unknown_parameter')]);
  return query;
}

/** Returns undefined when the route reads its body in one piece, or accepts none. */
function streamFor(
  { request: expected }: Route,
  { streamTimes = defaultStreamTimes }: ApiParts,
  { request, pay }: { request: Request; pay: Pay },
): StreamedBody | undefined {
  if (expected?.asStream === undefined) return undefined;
  const { asStream: type, bytesMax = streamBytesMax } = expected;
  return openStreamedBody(request, { type, bytesMax, pay, ...streamTimes });
}

const defaultStreamTimes = { patienceMs: 60_000, totalMs: 6 * 3_600_000 };
const streamBytesMax = 2 * 1024 ** 3;

/** A repeated parameter is ambiguous and refused: `validateOnly=false&validateOnly=true` must not write. */
function queryParams(request: Request): Call['query'] {
  const sent = Object.entries(request.query);
  const texts = sent.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  if (texts.length < sent.length) {
    const odd = sent.filter(([, value]) => typeof value !== 'string');
    throw badQuery(odd.map(([name]) => problem(name.slice(0, 200), 'repeated_parameter')));
  }
  // Creates own properties for all names, `__proto__` included.
  return Object.fromEntries(texts);
}

/** Only wildcards have several values, and the route table has none. */
function pathParams(request: Request): Call['params'] {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.params)) if (typeof value === 'string') params[name] = value;
  return params;
}

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
async function answerWhileValid(
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
