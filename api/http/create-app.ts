import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { Refusal } from '../../features/rules/errors.ts';
import { createPages } from '../pages/create-pages.ts';
import { asErrorPage, isForPeople } from '../public-page/show-page.ts';
import { createPublicPages } from '../public-page/create-public-pages.ts';
import { routes as allRoutes } from '../routes.ts';
import type { ApiParts, Served } from './api-parts.ts';
import { answerError } from './error-response.ts';
import { callLogger, recordOf, recordRequests } from './request-record.ts';
import { admitUnrouted, warnOfUntrustedProxy } from './rate-limit.ts';
import type { Route } from './route.ts';
import { sendAnswer } from './send-answer.ts';
import { serveRoute } from './serve-route.ts';

/** The whole HTTP side as an Express application, not yet listening. */
export function createApp(served: Served): Express {
  const { context, parts } = served;
  const { trustedProxies, routes = allRoutes } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('trust proxy', trustedProxies.length > 0 && [...trustedProxies]);
  app.use(recordRequests(context.logger, { observer: parts.requestObserver, onAnswered: callLogger(served) }));
  app.use(warnOfUntrustedProxy(context.logger));
  app.use(readOffTheRest);
  app.use(refuseOddRequests);
  app.use(helmet({ contentSecurityPolicy: apiPolicy, strictTransportSecurity: { includeSubDomains: false } }));
  for (const route of routes) app[route.method](expressPath(route), serveRoute(route, served));
  app.use(limitUnrouted(parts));
  app.use(createPublicPages(context));
  app.use(createPages(context));
  app.use(refuseUnknown);
  app.use(errorHandler(parts));
  return app;
}

/** Answers of the interface are data: a browser that shows one runs and loads nothing. Pages set a policy of their own. */
const apiPolicy = { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } };

const lingerMs = 5_000;

/** What a caller still sends after its answer is ignored for a while: to close the connection at once could lose the answer. */
const readOffTheRest: RequestHandler = (request, response, next) => {
  response.once('finish', () => {
    if (request.complete) return;
    request.resume();
    const timer = setTimeout(() => request.destroy(), lingerMs);
    request.once('close', () => clearTimeout(timer));
  });
  next();
};

/** The HTTP server would refuse most of these requests itself, in a form that is not ours. */
const refuseOddRequests: RequestHandler = ({ url, headers, headersDistinct, httpVersion }, _response, next) => {
  // Express would drop it and what follows: the item H#1 would be the item H.
  if (url.includes('#'))
    throw new Refusal(
      'BAD_REQUEST',
      'A # has no place in a request (RFC 9112, 3.2): in a path or query it is written %23',
    );
  if (headers.host === undefined && httpVersion === '1.1')
    throw new Refusal('BAD_REQUEST', 'The header Host is missing (HTTP/1.1 asks for it)');
  // A proxy may have used another Host header than this process would (RFC 9112, 3.2).
  if ((headersDistinct['host']?.length ?? 0) > 1)
    throw new Refusal('BAD_REQUEST', 'The header Host may stand there only once');
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect))
    throw new Refusal('EXPECTATION_FAILED', 'The header Expect may only be 100-continue');
  next();
};

/** Limits requests for pages and for unknown paths. */
const limitUnrouted =
  ({ rateLimits }: ApiParts): RequestHandler =>
  async (request, response, next) => {
    await admitUnrouted(rateLimits, { request, response });
    next();
  };

const expressPath = ({ path }: Route): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** A known path under another method is 405 with `Allow` (RFC 9110, 15.5.6); any other path is 404. */
const refuseUnknown: RequestHandler = (request, response) => {
  const found = paths.find(({ pattern }) => pattern.test(request.path));
  if (found === undefined)
    throw new Refusal('NOT_FOUND', `There is nothing under this path${pathAdvice(request.path)}`);
  const methods = allRoutes.filter(({ path }) => path === found.path).map(({ method }) => method.toUpperCase());
  response.setHeader('Allow', (methods.includes('GET') ? [...methods, 'HEAD'] : methods).join(', '));
  throw new Refusal('METHOD_NOT_ALLOWED', `This path takes ${methods.join(', ')}, not ${request.method}`);
};

/** The most frequent reasons why a path is none. */
function pathAdvice(path: string): string {
  if (path.includes('//')) return ': it has two slashes where one is meant';
  return /^\/(integration\/v1|partner)\/items\/./.test(path) ? ': a slash in external_id is written %2F' : '';
}

/** Paths without parameters come first, because a parameter could match their last word. */
const paths = [...new Set(allRoutes.map(({ path }) => path))]
  .toSorted((one, other) => one.split('{').length - other.split('{').length)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`) }));

/**
 * Most fields in an account's log of calls; the answer itself may name more. The names of unknown fields are the
 * caller's.
 */
const fieldsMax = 20;
const fieldLengthMax = 200;

function errorHandler({ rateLimits, isUnavailable }: ApiParts): ErrorRequestHandler {
  // eslint-disable-next-line @typescript-eslint/max-params -- Express knows an error handler by its four parameters
  return async (problem: unknown, request, response, next) => {
    const record = recordOf(response);
    // Requests that were refused before their route count as well, and so do bodies with a wrong signature.
    const limited = await admitUnrouted(rateLimits, { request, response }).then(
      () => undefined,
      (refused: unknown) => refused,
    );
    const error = limited ?? problem;
    const refused = answerError(error, isUnavailable);
    record.code = refused.code;
    if (error instanceof Refusal) {
      record.fields = error.details?.slice(0, fieldsMax).map(({ field }) => field.slice(0, fieldLengthMax));
      record.caller ??= error.holder;
    }
    if (refused.isFailure) record.failure = error;
    // Part of the answer is sent and can't be taken back, so Express closes the connection.
    if (response.headersSent) next(error);
    else sendAnswer(response, isForPeople(request) ? asErrorPage(request, refused, record.requestId) : refused);
  };
}
