import { Refusal } from './fields.ts';

/** Throws a 400 {@link Refusal} that names the field when `source` is no regular expression. */
export function regularExpression(source: string, field: string): RegExp {
  try {
    return new RegExp(source);
  } catch (cause) {
    throw new Refusal(
      400,
      'InvalidRequest',
      `${field} must be a regular expression: ${cause instanceof Error ? cause.message : ''}`,
    );
  }
}
