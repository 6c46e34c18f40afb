import Type, { type TSchema } from 'typebox';
import { formats } from '../../schemas/formats.ts';
import { idempotencyKey } from '../http/idempotency.ts';
import { isForMembers, isIdempotent, takesMembers, type Parameter, type Route } from '../http/route.ts';
import { createComponents, type Components } from './components.ts';
import { describeAnswers } from './describe-answers.ts';
import { describeWebhooks, webhookEventTag } from './describe-webhooks.ts';
import { requestExamples } from './request-examples.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Builds the OpenAPI 3.1 document from the route table, the only description of requests and answers. With
 * `hasWebhooks` false the section `webhooks` is left out, for generators that mistake its entries for operations of the
 * service.
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
  // Without the reason why a value is none.
  ...Object.entries(formats).map(([name, { told }]) => `- \`${name}\`: ${told('').message.replace(/: it .*/, '')}`),
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

/**
 * Not as a role of the security requirement, which OpenAPI 3.1 allows: common linters and generators expect OAuth
 * there.
 */
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

/** The text of docs/openapi.json, which is committed so that changes are reviewed. */
export const documentText = (routes: readonly Route[]): string => `${JSON.stringify(buildDocument(routes), null, 2)}\n`;

type Place = 'path' | 'query' | 'header' | 'cookie';

/** `parameters` of an operation: those of its row, and those common to its kind of row. */
export function describeParameters(route: Route, components: Components): Json[] {
  const { params = {}, query = {}, headers = {}, cookies = {} } = route;
  const all: readonly (readonly [Place, Readonly<Record<string, Parameter>>])[] = [
    ['path', params],
    ['query', { ...query, ...(isForMembers(route) && { member }) }],
    ['header', { ...headers, ...(isIdempotent(route) && { 'Idempotency-Key': idempotencyKey }) }],
    ['cookie', cookies],
    ['header', takesMembers(route) ? { 'X-Partner-Account': partnerAccount } : {}],
  ];
  return all.flatMap(([place, parameters]) =>
    Object.entries(parameters).map(([name, parameter]) => describe({ name, in: place }, parameter, components)),
  );
}

function describe(
  { name, in: place }: { readonly name: string; readonly in: Place },
  { component, required, description, schema }: Parameter,
  components: Components,
): Json {
  const [example] = examplesOf(schema);
  const part = {
    name,
    in: place,
    required: place === 'path' || required === true,
    description,
    schema: components.refer(schema),
    ...(example !== undefined && { example }),
  };
  return component === undefined ? part : components.share('parameters', component, part);
}

const examplesOf = (schema: TSchema): readonly unknown[] =>
  'examples' in schema && Array.isArray(schema.examples) ? schema.examples : [];

const member: Parameter = {
  component: 'Member',
  description: 'User id or reference of the member that a reseller acts for; 404 when the account has no such member',
  schema: Type.String({ minLength: 1, examples: ['3f0c5d0e-8a7b-4d53-9a43-6a1c2f5e7b90'] }),
};

const partnerAccount: Parameter = {
  component: 'PartnerAccount',
  description: "A reseller's reference of the member to act for",
  schema: Type.String({ examples: ['butik-malmo'] }),
};

/** The purpose of each group of operations; the linter requires a text for every tag. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Items: 'Items of the external system: pushed, read, published and taken down under its own identifiers.',
  Session: 'Sessions of the partner dashboard.',
  'API keys': 'Keys with which external systems push items.',
  Webhooks: 'Endpoints that are told of events by signed requests, and the log of what they were told.',
  'Marketplace connection': 'The account on the marketplace on whose behalf items are published.',
  'Audit log': 'Who did what for whom.',
  'Request log': 'How the last calls with the API keys of an account were answered.',
  Resellers: 'Resellers, their members and their public pages.',
  Categories: 'The 18 domains and their places in the category tree of the marketplace.',
  Vehicles: 'Look-up of vehicles by registration plate.',
  Analytics: 'Inventory and revenue of a partner.',
  Orders: 'What was sold, where and for how much.',
  Sandbox: 'What buyers do at the simulated marketplace, for test keys.',
  Subscription: 'The plan of a partner.',
  'Bulk syncs': 'Many items in one stream.',
  'Webhook events': 'What a registered endpoint is told, one request for each event.',
  Events: 'What happened to items, for those who ask instead of being told.',
  Search: 'One field that finds items, orders, deliveries and members.',
  Images: 'The images as the service hosts them.',
  Health: 'For load balancers and supervisors.',
};
