import { v4Objects, type Field } from '../v4-objects.ts';
import { v4Operations, type Operation } from '../v4-operations.ts';
import { at, fieldOf } from './read-loosely.ts';

/** What the marketplace's interface document says otherwise than the table: names with a few words. */
export interface DocumentDifferences {
  /** Operations and their parameters. */
  readonly operations: readonly string[];
  /** What is sent. */
  readonly requests: readonly string[];
  /** What is answered. */
  readonly answers: readonly string[];
  /** Objects that the document names without their fields. */
  readonly notShown: readonly string[];
  /** Fields of a listing that the table does not have. */
  readonly news: readonly string[];
}

export function compareDocument(document: unknown): DocumentDifferences {
  const notShown = new Set<string>();
  const [requests, answers] = [openComparison(document, notShown), openComparison(document, notShown)];
  const operations = Object.values<Operation>(v4Operations).flatMap((operation) => {
    const name = `${operation.method} ${operation.path}`;
    const found = findOperation(document, operation);
    if (found === undefined) return [name];
    if (operation.request !== undefined)
      compareField(requests, schemaIn(found, 'requestBody'), { field: { type: operation.request }, place: name });
    if (operation.answer !== null)
      compareField(answers, schemaIn(found, 'responses.200'), { field: operation.answer, place: name });
    return missingQueries(found, operation).map((query) => `${name} has no parameter ${query}`);
  });
  return {
    ...{ operations, requests: [...requests.found], answers: [...answers.found], notShown: [...notShown] },
    news: newFields(document),
  };
}

const shape = (path: string): string =>
  path
    .toLowerCase()
    .replaceAll(/\{\w+\}/g, '{}')
    .replace(/\/$/, '');

function findOperation(document: unknown, { method, path }: Operation): unknown {
  const paths = Object.entries(fieldOf(document, 'paths') ?? {});
  return fieldOf(paths.find(([other]) => shape(other) === shape(path))?.[1], method.toLowerCase());
}

function missingQueries(found: unknown, { query = {} }: Operation): string[] {
  const parameters = fieldOf(found, 'parameters');
  const names = Array.isArray(parameters) ? parameters.map((one) => String(fieldOf(one, 'name')).toLowerCase()) : [];
  return Object.keys(query).filter((name) => !names.includes(name.toLowerCase()));
}

/** The schema of a JSON body, whatever its media type is called. */
const schemaIn = (found: unknown, path: string): unknown =>
  Object.entries(fieldOf(at(found, path), 'content') ?? {})
    .filter(([type]) => type.includes('json'))
    .map(([, media]) => fieldOf(media, 'schema'))[0];

interface Comparison {
  readonly document: unknown;
  readonly found: Set<string>;
  readonly notShown: Set<string>;
  /** Objects that were compared already. */
  readonly seen: Set<string>;
}

const openComparison = (document: unknown, notShown: Set<string>): Comparison => ({
  ...{ document, notShown, found: new Set<string>(), seen: new Set<string>() },
});

const scalars: Readonly<Record<string, readonly string[]>> = {
  ...{ int32: ['integer'], int64: ['integer'], double: ['number', 'integer'], boolean: ['boolean'] },
  ...{ text: ['string'], time: ['string'], base64: ['string'], object: ['object'] },
};

interface Compared {
  readonly field: Field;
  /** For people. */
  readonly place: string;
}

function compareField(comparison: Comparison, schema: unknown, { field, place }: Compared): void {
  const resolved = resolve(comparison.document, schema);
  const isList = fieldOf(resolved, 'type') === 'array';
  if (schema === undefined) comparison.found.add(`${place} is without a schema`);
  else if (isList !== (field.list === true)) comparison.found.add(`${place} is ${isList ? 'a' : 'no'} list`);
  else if (isList) compareField(comparison, fieldOf(resolved, 'items'), { place, field: withoutList(field) });
  else if (scalars[field.type] === undefined) compareObject(comparison, resolved, field.type);
  else compareScalar(comparison, resolved, { field, place });
}

const withoutList = ({ list: _list, ...field }: Field): Field => field;

function compareScalar({ found }: Comparison, schema: unknown, { field, place }: Compared): void {
  const stated = fieldOf(schema, 'type');
  const type = typeof stated === 'string' ? stated : 'object';
  if (scalars[field.type]?.includes(type) === false) found.add(`${place} is ${type}, not ${field.type}`);
  const values = fieldOf(schema, 'enum');
  const gone = Array.isArray(values) ? (field.values ?? []).filter((value) => !values.includes(value)) : [];
  if (gone.length > 0) found.add(`${place} is never ${gone.join(', ')}`);
}

function compareObject(comparison: Comparison, schema: unknown, name: string): void {
  const { seen, notShown, found } = comparison;
  if (seen.has(name)) return;
  seen.add(name);
  const properties = fieldOf(schema, 'properties');
  if (Object.keys(properties ?? {}).length === 0) {
    notShown.add(name);
    return;
  }
  for (const [fieldName, field] of Object.entries(v4Objects[name]?.fields ?? {})) {
    const place = `${name}.${fieldName}`;
    const property = fieldOf(properties, fieldName);
    if (property === undefined) found.add(`${place} is not there`);
    else compareField(comparison, property, { field, place });
    if (field.nullable !== true && fieldOf(property, 'nullable') === true) found.add(`${place} may be null`);
  }
}

/** Follows references to what they name. */
function resolve(document: unknown, schema: unknown): unknown {
  const whole = fieldOf(schema, 'allOf');
  const reference = fieldOf(Array.isArray(whole) ? whole[0] : schema, '$ref');
  return typeof reference === 'string'
    ? fieldOf(at(document, 'components.schemas'), reference.split('/').at(-1) ?? '')
    : schema;
}

function newFields(document: unknown): string[] {
  const listing = at(document, 'components.schemas.ItemRequest.properties');
  const known = v4Objects['ItemRequest']?.fields ?? {};
  return Object.keys(listing ?? {}).filter((name) => !Object.hasOwn(known, name));
}
