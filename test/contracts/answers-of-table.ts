import { v4Objects, type Field } from '../../gateways/marketplace/v4-objects.ts';
import { v4Operations, type Operation, type OperationName } from '../../gateways/marketplace/v4-operations.ts';

/**
 * - `full`: every field has a value.
 * - `bare`: what may be null is null, what may be missing is missing.
 * - `empty`: as `full`, with empty lists.
 */
export type Fullness = 'full' | 'bare' | 'empty';

/** An answer in the table's shape; undefined: without a body. */
export function answerOfTable(name: OperationName, fullness: Fullness): unknown {
  const { answer }: Operation = v4Operations[name];
  if (answer === null) return undefined;
  return valueOf(answer, { fullness, depth: 0 });
}

const scalars: Readonly<Record<string, unknown>> = {
  ...{ int32: 77, int64: 9_007_199_254_740_993n, double: 2.5, boolean: true, text: 'text' },
  ...{ time: '2026-11-28T12:00:00', base64: 'anBlZw==', object: {} },
};
/** A category holds categories. */
const depthMax = 4;

function valueOf(field: Field, at: { fullness: Fullness; depth: number }): unknown {
  if (field.nullable === true && (at.fullness === 'bare' || at.depth > depthMax)) return null;
  if (field.list === true) return at.fullness === 'empty' || at.depth > depthMax ? [] : [oneOf(field, at)];
  return oneOf(field, at);
}

function oneOf({ type, values, min }: Field, { fullness, depth }: { fullness: Fullness; depth: number }): unknown {
  const object = v4Objects[type];
  if (object === undefined) return values?.[0] ?? (type === 'int32' && min !== undefined ? min : scalars[type]);
  const there = Object.entries(object.fields).filter(([, field]) => fullness !== 'bare' || field.optional !== true);
  return Object.fromEntries(there.map(([name, field]) => [name, valueOf(field, { fullness, depth: depth + 1 })]));
}

/** JSON, in which a 64-bit number keeps its digits. */
export const jsonOf = (value: unknown): string =>
  value === undefined
    ? ''
    : JSON.stringify(value, (_name, one: unknown) => (typeof one === 'bigint' ? `big${one}` : one)).replaceAll(
        /"big(\d+)"/g,
        '$1',
      );
