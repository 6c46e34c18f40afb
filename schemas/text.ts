import Type, { type TString, type TUnsafe } from 'typebox';

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
