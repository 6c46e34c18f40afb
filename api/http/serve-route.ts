import type { Request, RequestHandler, Response } from 'express';
import type { ApiDependencies } from '../dependencies.ts';
import { authenticate } from './authenticate.ts';
import { readJsonBody } from './read-json-body.ts';
import { recordOf } from './request-record.ts';
import type { Answer, Call, Route } from './route.ts';
import { sendAnswer } from './send-answer.ts';

/** Credential first, so that strangers can't make the service read bodies; then the body, the handler, the answer. */
export function serveRoute(route: Route, dependencies: ApiDependencies): RequestHandler {
  return async (request, response) => {
    recordOf(response).route = route.path;
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
  const query = queryParams(request);
  const { headers } = request;
  record.externalId = params['external_id'];
  if (route.credential === 'none') {
    return route.handle({ dependencies, params, query, headers, body: await bodyOf(route, request, response) });
  }
  const caller = await authenticate(dependencies.authentication, route.credential, headers);
  const scope = { ...caller, requestId: record.requestId };
  record.scope = scope;
  return route.handle({ dependencies, params, query, headers, scope, body: await bodyOf(route, request, response) });
}

const bodyOf = async ({ request: expected }: Route, request: Request, response: Response): Promise<unknown> =>
  expected === undefined ? undefined : readJsonBody(request, response, expected);

function queryParams(request: Request): Call['query'] {
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.query)) {
    const first: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof first === 'string') query[name] = first;
  }
  return query;
}

/** Only wildcards have several values, and the table has none. */
function pathParams(request: Request): Call['params'] {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.params)) if (typeof value === 'string') params[name] = value;
  return params;
}
