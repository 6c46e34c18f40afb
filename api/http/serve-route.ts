import type { Request, RequestHandler, Response } from 'express';
import type { ApiDependencies } from '../dependencies.ts';
import { badQuery } from '../../schemas/query.ts';
import { authenticate } from './authenticate.ts';
import { handleOnce } from './idempotency.ts';
import { bodyDigestOf, readJsonBody } from './read-json-body.ts';
import { noStore } from './no-store.ts';
import { recordOf } from './request-record.ts';
import type { Answer, Call, Route } from './route.ts';
import { sendAnswer } from './send-answer.ts';

/** Credential first, so that strangers can't make the service read bodies; then query and body, the handler, the answer. */
export function serveRoute(route: Route, dependencies: ApiDependencies): RequestHandler {
  return async (request, response) => {
    recordOf(response).route = route.path;
    // What is answered to a credential, refusals too, is for its holder alone. Public answers say for themselves.
    if (route.credential !== 'none')
      for (const [name, value] of Object.entries(noStore)) response.setHeader(name, value);
    sendAnswer(response, await answerCall(route, dependencies, { request, response }));
  };
}

async function answerCall(
  route: Route,
  dependencies: ApiDependencies,
  { request, response }: { request: Request; response: Response },
): Promise<Answer> {
  const record = recordOf(response);
  const params = pathParams(request);
  const { headers } = request;
  record.externalId = params['external_id'];
  if (route.credential === 'none') {
    const query = queryParams(request);
    return route.handle({ dependencies, params, query, headers, body: await bodyOf(route, request, response) });
  }
  const caller = await authenticate(dependencies.authentication, route.credential, headers);
  const scope = { ...caller, requestId: record.requestId };
  record.scope = scope;
  const query = queryParams(request);
  const body = await bodyOf(route, request, response);
  return handleOnce(route, { dependencies, params, query, headers, scope, body }, bodyDigestOf(request));
}

const bodyOf = async ({ request: expected }: Route, request: Request, response: Response): Promise<unknown> =>
  expected === undefined ? undefined : readJsonBody(request, response, expected);

/** Of a parameter that is there twice nobody knows which one is meant: `validateOnly=false&validateOnly=true` must not write. */
function queryParams(request: Request): Call['query'] {
  const sent = Object.entries(request.query);
  const texts = sent.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  if (texts.length < sent.length) {
    const odd = sent.filter(([, value]) => typeof value !== 'string');
    throw badQuery(odd.map(([name]) => ({ field: name.slice(0, 200), message: 'must be there only once, as text' })));
  }
  // An own property whatever its name, `__proto__` too.
  return Object.fromEntries(texts);
}

/** Only wildcards have several values, and the table has none. */
function pathParams(request: Request): Call['params'] {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.params)) if (typeof value === 'string') params[name] = value;
  return params;
}
