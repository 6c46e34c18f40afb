import type { Request } from 'express';
import { v4Objects, type Field } from '../../../gateways/marketplace/v4-objects.ts';
import { isObject } from '../../kit/fields.ts';
import { int32Max } from '../records/user-book.ts';
import { badRequest, notFound } from './refusals.ts';
import { parseWireTime } from './wire-time.ts';

/** Throws a 400 that names the field unless `value` is the object that the table of the interface says. */
export function checkObject(objectName: string, value: unknown, where = ''): void {
  if (!isObject(value)) throw badRequest(`${where === '' ? 'the body' : where} must be a JSON object`);
  const fields = v4Objects[objectName]?.fields ?? {};
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) throw badRequest(`${join(where, unknown)} is not a field of ${objectName}`);
  for (const [name, field] of Object.entries(fields))
    checkField(field, Object.hasOwn(value, name) ? value[name] : undefined, join(where, name));
}

const join = (where: string, name: string): string => (where === '' ? name : `${where}.${name}`);

function checkField(field: Field, value: unknown, where: string): void {
  if (value === undefined) {
    if (field.required === true) throw badRequest(`${where} is missing`);
    return;
  }
  if (value === null) {
    if (field.nullable !== true) throw badRequest(`${where} must not be null`);
    return;
  }
  if (field.list !== true) return checkValue(field, value, where);
  if (!Array.isArray(value)) throw badRequest(`${where} must be a list`);
  if (value.length > (field.entriesMax ?? 1000)) throw badRequest(`${where} has too many entries`);
  for (const [index, entry] of value.entries()) checkValue(field, entry, `${where}[${index}]`);
}

function checkValue(field: Field, value: unknown, where: string): void {
  if (Object.hasOwn(v4Objects, field.type)) return checkObject(field.type, value, where);
  if (!isOfType(field.type, value)) throw badRequest(`${where} must be of type ${field.type}`);
  const { min = -Infinity, max = Infinity, values } = field;
  const size = typeof value === 'string' ? value.length : Number(value);
  if (size < min || size > max) throw badRequest(`${where} must be from ${min} to ${max}`);
  if (values !== undefined && !values.some((one) => one === value))
    throw badRequest(`${where} must be one of ${values.join(', ')}`);
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'int32':
      return Number.isInteger(value) && Math.abs(Number(value)) <= int32Max;
    case 'int64':
      return Number.isInteger(value);
    case 'double':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'time':
      return typeof value === 'string' && parseWireTime(value) !== undefined;
    case 'base64':
      return typeof value === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(value) && value.length % 4 === 0;
    default:
      return typeof value === 'string';
  }
}

/** The query of one call, checked. */
export interface Query {
  number(name: string): number | undefined;
  numbers(name: string): readonly number[];
  texts(name: string): readonly string[];
  /** Milliseconds. */
  time(name: string): number | undefined;
}

/** A name that the operation does not have is ignored; a value of the wrong type is a 400. */
export function checkQuery(fields: Readonly<Record<string, Field>>, request: Request): Query {
  const read = new Map(
    Object.entries(fields).map(([name, field]) => [name, valuesOf(name, field, request.query[name])]),
  );
  const of = (name: string): readonly string[] => read.get(name) ?? [];
  return {
    number: (name) => of(name).map(Number)[0],
    numbers: (name) => of(name).map(Number),
    texts: of,
    time: (name) => of(name).map(parseWireTime)[0],
  };
}

function valuesOf(name: string, field: Field, given: unknown): readonly string[] {
  const texts = [given].flat().filter((one): one is string => typeof one === 'string' && one !== '');
  if (texts.length > 1 && field.list !== true) throw badRequest(`${name} must stand in the query only once`);
  for (const text of texts) checkValue(field, /^int/.test(field.type) ? wholeNumber(text) : text, name);
  return texts;
}

const wholeNumber = (text: string): unknown => (/^-?\d{1,19}$/.test(text) ? Number(text) : text);

/** A number in the path; a text that is none matches nothing. */
export function pathNumber(request: Request, name: string): number {
  const value = request.params[name];
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : Infinity;
  if (number > int32Max) throw notFound(`${name} ${String(value)}`);
  return number;
}
