import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Route } from '../../api/http/route.ts';
import { routes } from '../../api/routes.ts';
import { formats } from '../../schemas/formats.ts';
import { interfaceDocument } from './interface-document.ts';

export interface SentAnswer {
  readonly method: string;
  /** As it was called, with its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface DescribedResponse {
  readonly headers?: Record<string, { readonly required?: boolean }>;
  readonly content?: Record<string, { readonly schema: object }>;
}

/** Everything in which an answer differs from what the interface document promises; empty when nothing does. */
export function undocumentedIn(answer: SentAnswer): string[] {
  const route = routeOf(answer);
  if (route === undefined) return undocumentedPath(answer);
  const response = responsesOf(route)[answer.status];
  if (response === undefined) return [`status ${String(answer.status)} is not documented`];
  return [...missingHeaders(response, answer), ...wrongBody(response, answer, `${route.method} ${route.path}`)];
}

/** The row that serves the call, found as Express does: the first one that matches. */
function routeOf({ method, path }: SentAnswer): Route | undefined {
  const plain = path.replace(/[?#].*$/s, '').replace(/(?<=.)\/$/, '');
  const wanted = method.toLowerCase() === 'head' ? 'get' : method.toLowerCase();
  return matchers.find((one) => one.route.method === wanted && one.pattern.test(plain))?.route;
}

const matchers = routes.map((route) => ({
  route,
  pattern: new RegExp(
    `^${route.path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, '[^/]+')}$`,
  ),
}));

const pages = /^\/($|docs(\/|$)|dashboard(\/|$)|p\/[^/]+$|openapi(-without-webhooks)?\.json$)/;

/** Pages for people are not in the document; any other path or method that is not in it does not exist. */
function undocumentedPath({ method, path, status }: SentAnswer): string[] {
  if (status === 404 || status === 405 || status === 429 || pages.test(path)) return [];
  return [`${method} ${path} is not in the document, yet it answers ${String(status)} instead of 404`];
}

const document = interfaceDocument<{
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, DescribedResponse> }>>;
  readonly components: { readonly schemas: object };
}>();

function responsesOf({ path, method }: Route): Record<string, DescribedResponse> {
  const operation = document.paths[path]?.[method];
  if (operation === undefined) throw new Error(`${method} ${path} is missing in the document`);
  return operation.responses;
}

const missingHeaders = ({ headers = {} }: DescribedResponse, answer: SentAnswer): string[] =>
  Object.entries(headers)
    .filter(([name, { required }]) => required === true && answer.headers.get(name) === null)
    .map(([name]) => `the documented header ${name} is missing`);

function wrongBody({ content }: DescribedResponse, answer: SentAnswer, operation: string): string[] {
  if (content === undefined) return answer.text === '' ? [] : ['there is a body where the document has none'];
  const type = withoutParameters(answer.headers.get('content-type') ?? 'none');
  const described = Object.entries(content).find(([name]) => withoutParameters(name) === type)?.[1];
  if (described === undefined) return [`the content type ${type} is not documented`];
  if (type !== 'application/json' || answer.method.toUpperCase() === 'HEAD') return [];
  const validate = validatorOf(`${operation} ${String(answer.status)}`, described.schema);
  validate(JSON.parse(answer.text));
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `body${instancePath} ${message ?? 'is wrong'} ${JSON.stringify(params)}`,
  );
}

const withoutParameters = (contentType: string): string => contentType.replace(/;.*/s, '');

// A union of variants requires its discriminator, which only the variants describe.
const ajv = new Ajv2020({
  allErrors: true,
  allowUnionTypes: true,
  ownProperties: true,
  strict: true,
  strictRequired: false,
});
addFormats.default(ajv);
for (const [name, { type, validate }] of Object.entries(formats)) ajv.addFormat(name, { type, validate });
for (const annotation of ['components', 'x-max-bytes', 'x-sek-amount', 'x-enum-varnames', 'x-aliases', 'discriminator'])
  ajv.addKeyword(annotation);
const rootId = 'https://itembridge.test/openapi.json';
ajv.addSchema({ $id: rootId, components: { schemas: closed(document.components.schemas) } }, rootId, false, false);

const validators = new Map<string, ValidateFunction>();

function validatorOf(key: string, schema: object): ValidateFunction {
  const known = validators.get(key);
  if (known !== undefined) return known;
  const rooted = JSON.parse(JSON.stringify(closed(schema)).replaceAll('"$ref":"#', `"$ref":"${rootId}#`)) as object;
  const validate = ajv.compile(rooted);
  validators.set(key, validate);
  return validate;
}

/**
 * The same schema, but what it doesn't name is an error: the document leaves answers open, so that they may gain fields,
 * yet a field that we send today and don't describe was forgotten.
 */
function closed(schema: object): object {
  if (Array.isArray(schema)) return schema.map((part: unknown) => (isObject(part) ? closed(part) : part));
  const copy: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(schema)) copy[key] = isObject(part) ? closed(part) : part;
  if ('allOf' in schema) throw new Error('an answer made of allOf can not be closed part by part: say here how');
  const isObjectSchema = 'properties' in schema && ('type' in schema || 'required' in schema);
  return isObjectSchema && !('additionalProperties' in schema) ? { ...copy, additionalProperties: false } : copy;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
