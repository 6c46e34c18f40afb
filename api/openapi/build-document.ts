import { formats } from '../../schemas/formats.ts';
import type { Route } from '../http/route.ts';
import { createComponents, type Components } from './components.ts';
import { describeAnswers } from './describe-answers.ts';
import { describeParameters } from './describe-parameters.ts';
import { describeWebhooks, webhookEventTag } from './describe-webhooks.ts';
import { requestExamples } from './request-examples.ts';
import { tagDescriptions } from './tag-descriptions.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Builds the OpenAPI 3.1 document from the route table, so that requests and answers are described only there. With `hasWebhooks`
 * false it is without the section `webhooks`, for generators that take its entries for operations of the service.
 */
export function buildDocument(routes: readonly Route[], { hasWebhooks = true } = {}): Json {
  const components = createComponents();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = describeRoute(route, components, routes);
  return {
    openapi: '3.1.0',
    info: {
      title: 'itembridge',
      version: '1.0.0',
      summary: 'Item synchronisation, resellers and partners',
      description: introduction,
      contact: { name: 'Operator of the service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'Where this document was read' }],
    tags: [...new Set(routes.map(({ tag }) => tag)), ...(hasWebhooks ? [webhookEventTag] : [])].map(describeTag),
    paths,
    ...(hasWebhooks && { webhooks: describeWebhooks(components) }),
    components: { ...components.all(), securitySchemes },
  };
}

const introduction = [
  'An external system pushes items under its own identifiers; the service hosts their images, publishes them as auctions',
  'and reports by signed webhooks. Lengths count characters (code points), money is in SEK.',
  '',
  'A query parameter that is there twice is 400 on every path; on item paths so is one that the path does not know:',
  '`validate_only=true` is refused and writes nothing. What is answered to a credential carries `Cache-Control: no-store`.',
  '',
  'Every call may name itself by the header `X-Request-Id` (1 to 128 letters, digits, `.`, `_`, `:` and `-`); every answer has',
  'that id, or a new one, for questions to the operator.',
  '',
  'The same document without `webhooks`, for generators that take its entries for operations of the service, is served as',
  '`/openapi-without-webhooks.json`.',
  '',
  'Formats beyond the usual ones:',
  '',
  ...Object.entries(formats).map(([name, { message }]) => `- \`${name}\`: ${message}`),
].join('\n');

const describeTag = (name: string): Json => ({
  name,
  ...(Object.hasOwn(tagDescriptions, name) && { description: tagDescriptions[name] }),
});

const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'Key of an account, or of its reseller. The operation names the scope that a key with scopes needs',
  },
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Session of the partner dashboard; an API key is not accepted',
  },
};

function securityOf(route: Route): readonly Json[] {
  if (route.credential === 'none') return [];
  if (route.credential === 'jwt') return [{ session: [] }];
  return route.credential === 'api-key' ? [{ apiKey: [] }] : [{ apiKey: [] }, { session: [] }];
}

/** Not as a role of the security requirement, which OpenAPI 3.1 allows: common linters and generators take that for OAuth. */
function scopeOf(route: Route): Json {
  return 'keyScope' in route && route.keyScope !== null ? { 'x-key-scope': route.keyScope } : {};
}

function describeRoute(route: Route, components: Components, routes: readonly Route[]): Json {
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    security: securityOf(route),
    ...scopeOf(route),
    parameters: describeParameters(route, components),
    ...(route.request !== undefined && {
      requestBody: {
        required: route.request.isOptional !== true,
        content: {
          [route.request.asStream ?? 'application/json']: {
            schema: components.refer(route.request.schema),
            examples: requestExamples[route.name],
          },
        },
      },
    }),
    responses: describeAnswers(route, components, routes),
  };
}
