import { v4Objects, type Field } from '../../gateways/marketplace/v4-objects.ts';

export interface BrokenBody {
  readonly what: string;
  /** The field that is wrong. */
  readonly field: string;
  readonly body: Record<string, unknown>;
}

/** Bodies that break the table in one place each, made from a valid one: names, types, null, limits, missing fields. */
export function brokenBodies(objectName: string, valid: Record<string, unknown>): readonly BrokenBody[] {
  const fields = v4Objects[objectName]?.fields ?? {};
  const unknown = { what: `an unknown field in ${objectName}`, field: 'unheardOf', body: { ...valid, unheardOf: 1 } };
  return [unknown, ...Object.entries(fields).flatMap(([name, field]) => brokenFields({ name, field }, valid))];
}

function brokenFields(
  { name, field }: { name: string; field: Field },
  valid: Record<string, unknown>,
): readonly BrokenBody[] {
  const { [name]: given, ...without } = valid;
  const set = (what: string, value: unknown): BrokenBody => ({
    what: `${name}: ${what}`,
    field: name,
    body: { ...valid, [name]: value },
  });
  return [
    ...(field.required === true ? [{ what: `${name}: missing`, field: name, body: without }] : []),
    ...(field.nullable === true ? [] : [set('null', null)]),
    ...(field.list === true ? [set('no list', {}), set('null in the list', [null])] : []),
    ...(field.entriesMax === undefined ? [] : [set('too many', Array(field.entriesMax + 1).fill(entryOf(given)))]),
    ...wrongValues(field).map((value) =>
      set(JSON.stringify(value).slice(0, 20), field.list === true ? [value] : value),
    ),
    ...nested(field, given).map((inner) => ({
      ...set(inner.what, field.list === true ? [inner.body] : inner.body),
      field: inner.field,
    })),
  ];
}

const entryOf = (given: unknown): unknown => (Array.isArray(given) ? given[0] : given);

function nested(field: Field, given: unknown): readonly BrokenBody[] {
  const entry = entryOf(given);
  if (v4Objects[field.type] === undefined || typeof entry !== 'object' || entry === null) return [];
  return brokenBodies(field.type, entry as Record<string, unknown>);
}

function wrongValues({ type, min, max, values }: Field): readonly unknown[] {
  const ofType: Readonly<Record<string, readonly unknown[]>> = {
    int32: ['1', 1.5, true, 2_147_483_648],
    double: ['1', true],
    boolean: ['true', 0],
    text: [1, false],
    time: ['yesterday', 1],
    base64: ['*', 1],
  };
  const sized = (size: number): unknown => (type === 'text' ? 'x'.repeat(size) : size);
  return [
    ...(ofType[type] ?? ['text', 1]),
    ...(min === undefined || (type === 'text' && min === 0) ? [] : [sized(min - 1)]),
    ...(max === undefined ? [] : [sized(max + 1)]),
    ...(values === undefined ? [] : [99]),
  ];
}
