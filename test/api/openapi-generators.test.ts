import test from 'ava';
import { buildDocument } from '../../api/openapi/build-document.ts';
import { routes } from '../../api/routes.ts';

// What generators of clients stumble over. `npm run checks -- clients` runs them; these rules say at once what would break.

interface Found {
  readonly path: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Readonly<Record<string, unknown>>[];
  readonly responses: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const document = buildDocument(routes) as {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly webhooks: Record<string, Record<string, Operation>>;
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const all = partsIn(document);
const pathsOf = (found: readonly Found[]): string[] => found.map(({ path }) => path);
const schemas = all.filter(({ path }) => !/\/(examples?|mapping|default)(\/|$)/.test(path));

/** Every object of the document, wherever in it. */
function partsIn(part: unknown, path = ''): Found[] {
  if (typeof part !== 'object' || part === null) return [];
  const below = Object.entries(part).flatMap(([key, value]) => partsIn(value, `${path}/${key}`));
  return Array.isArray(part) ? below : [{ path, schema: part as Found['schema'] }, ...below];
}

// specification: amounts-survive-generated-clients
test('every number with decimals is a double: without the format generators take 32 bits, which no amount of money survives', (t) => {
  const numbers = schemas.filter(({ schema }) => [schema['type']].flat().includes('number'));
  t.deepEqual(pathsOf(numbers.filter(({ schema }) => schema['format'] !== 'double')), []);
  const names = new Set(numbers.map(({ path }) => path.split('/').at(-1)));
  for (const amount of ['price', 'shippingCost', 'salePrice', 'amount', 'fee', 'net', 'gross', 'owed', 'totalPending'])
    t.true(names.has(amount), amount);
});

test('every enum and every constant has a type: without it, one is anything in Go', (t) => {
  const closed = schemas.filter(({ schema }) => Array.isArray(schema['enum']) || 'const' in schema);
  t.true(closed.length > 60);
  t.deepEqual(pathsOf(closed.filter(({ schema }) => !('type' in schema))), []);
});

test('an enum of two values or more has a name, and its values stay different as names of constants', (t) => {
  const enums = schemas.filter(({ schema }) => Array.isArray(schema['enum']) && schema['enum'].length > 1);
  const texts = enums.filter(({ schema }) => schema['type'] === 'string');
  t.deepEqual(pathsOf(texts.filter(({ path }) => !/^\/components\/schemas\/\w+$/.test(path))), []);
  for (const { path, schema } of enums) {
    const names = (schema['x-enum-varnames'] ?? schema['enum']) as readonly unknown[];
    const constants = new Set(names.map((name) => String(name).toUpperCase().replaceAll(/\W/g, '')));
    t.is(constants.size, (schema['enum'] as readonly unknown[]).length, path);
  }
});

test('an object with fields has a name: else generators count, as in Data1 to Data6', (t) => {
  const objects = schemas.filter(({ schema }) => schema['type'] === 'object' && 'properties' in schema);
  t.true(objects.length > 90);
  t.deepEqual(pathsOf(objects.filter(({ path }) => !/^\/components\/schemas\/\w+$/.test(path))), []);
});

test('nothing has a default: generators send it, also in a PATCH, or count the field as always there', (t) => {
  t.deepEqual(pathsOf(schemas.filter(({ schema, path }) => 'default' in schema && !path.endsWith('/responses'))), []);
});

test('no constant is true or false: as a text, which some generators make of it, it does not compile', (t) => {
  t.deepEqual(pathsOf(schemas.filter(({ schema }) => typeof schema['const'] === 'boolean')), []);
});

test('nothing but one side of a union is always null', (t) => {
  const nulls = schemas.filter(({ schema }) => schema['type'] === 'null');
  t.deepEqual(pathsOf(nulls.filter(({ path }) => !/\/anyOf\/\d$/.test(path))), []);
});

test('a parameter, a header or a refusal that two operations have is a component', (t) => {
  const parameters = operations.flatMap((one) => one.parameters);
  // The cookies of two ways to sign in are the same by chance.
  const headers = all.filter(({ path }) =>
    /^\/(paths|components\/responses)\/.*\/headers\/(?!Set-Cookie)[^/]+$/.test(path),
  );
  const refusals = operations.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, one]) => (Number(status) >= 400 ? [one] : [])),
  );
  for (const parts of [parameters, headers.map(({ schema }) => schema), refusals]) {
    const own = parts.filter((part) => !('$ref' in part)).map((part) => JSON.stringify(part));
    t.deepEqual(own.filter((part, index) => own.indexOf(part) !== index).toSorted(), []);
    t.true(own.length < parts.length / 2);
  }
});

test('what endpoints are told has a tag of its own: with that of an operation, one file would replace the other', (t) => {
  const tags = new Set(operations.flatMap((one) => one.tags));
  for (const told of Object.values(document.webhooks).flatMap((methods) => Object.values(methods)))
    for (const tag of told.tags) t.false(tags.has(tag), tag);
});

test('without webhooks the document has all operations, and no schema that only a webhook has', (t) => {
  const plain = buildDocument(routes, { hasWebhooks: false }) as Record<string, unknown>;
  t.false('webhooks' in plain);
  t.deepEqual(plain['paths'], document.paths);
  t.false(JSON.stringify(plain).includes('WebhookTestEvent'));
});

test('the lowest success takes the body of every other: generators for Java and TypeScript read all of them by it', (t) => {
  const bodyOf = (answer: unknown): string => JSON.stringify((answer as { readonly content?: unknown }).content ?? '');
  const schemasOf = (document as unknown as { components: { schemas: Record<string, unknown> } }).components.schemas;
  const several = operations
    .map(({ operationId, responses }) => ({
      operationId,
      bodies: Object.entries(responses).flatMap(([status, one]) => (Number(status) < 300 ? [bodyOf(one)] : [])),
    }))
    .filter(({ bodies }) => new Set(bodies).size > 1);
  t.true(several.length > 10);
  for (const { operationId, bodies } of several) {
    const [lowest = '', ...others] = bodies.map(
      (body) => /"\$ref":"#\/components\/schemas\/(\w+)"/.exec(body)?.[1] ?? '',
    );
    for (const other of others) t.true(JSON.stringify(schemasOf[lowest]).includes(`/schemas/${other}"`), operationId);
  }
});
