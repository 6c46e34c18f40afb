import Type, { type TNumber, type TNumberOptions, type TString, type TUnsafe } from 'typebox';
import { isSekAmount, sekMax, withoutFloatNoise } from '../features/rules/money.ts';

interface TextOptions {
  readonly description: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly examples?: string[];
}

/** Default bound of a text: every text of the interface has one. */
export const textLengthMax = 255;

/** A bounded text that can be stored and returned unchanged. */
export function text(options: TextOptions): TString {
  return Type.String({ maxLength: textLengthMax, format: 'plain-text', ...options });
}

/** The same, or null. A type list instead of a union, so that a wrong value gives one message instead of three. */
export function nullableText(options: TextOptions): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: textLengthMax,
    format: 'plain-text',
    ...options,
  });
}

/** A number with decimals. Without the format, code generators (Go and others) use 32 bits, where 149999.99 becomes 149999.98. */
export const decimalNumber = (options: TNumberOptions): TNumber => Type.Number({ format: 'double', ...options });

/** The only currency. */
export const currencySchema = Type.Enum(['SEK'], {
  $id: 'Currency',
  description: 'SEK, the only one; also where it is left out',
});

/** An amount that a caller sends. The keyword checks the decimals, because a schema has only one format. */
export const sekAmount = (options: TNumberOptions & { readonly minimum: number }): TNumber =>
  decimalNumber({ maximum: sekMax, [sekAmountKeyword]: true, ...options });

/** Named `x-…`, as OpenAPI requires for extensions. */
export const sekAmountKeyword = 'x-sek-amount';

/** Accepts values outside the bounds: those have their own messages, and one message is enough. */
export const hasSekDecimals = (sek: number): boolean => sek < 0 || sek > sekMax || isSekAmount(sek);

/** The body with its amounts as they are meant ({@link withoutFloatNoise}). */
export function withMeantAmounts<Body>(schema: { readonly properties?: object }, body: Body): Body {
  if (!isRecord(body)) return body;
  const meant = Object.entries(schema.properties ?? {}).flatMap(([name, property]): [string, number][] => {
    const value = isRecord(property) && sekAmountKeyword in property && Object.hasOwn(body, name) ? body[name] : 0;
    const amount = typeof value === 'number' ? withoutFloatNoise(value) : value;
    return typeof amount === 'number' && amount !== value ? [[name, amount]] : [];
  });
  return meant.length === 0 ? body : { ...body, ...Object.fromEntries(meant) };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A time in answers: ISO 8601 in UTC. */
export const time = (description: string): TString => Type.String({ format: 'date-time', description });

/** {@link time}, or null. */
export const nullableTime = (description: string): TUnsafe<string | null> =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });

/** Details of a history entry as data; features/items/rules/history-facts.ts has the names of each kind. */
export const entryDetails = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description:
    'What `message` says, as data by name: ids, names, numbers (money in SEK); never a secret. May gain names',
});
