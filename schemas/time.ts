import Type, { type TString, type TUnsafe } from 'typebox';

/** A time in answers: ISO 8601 in UTC. */
export const time = (description: string): TString => Type.String({ format: 'date-time', description });

export const nullableTime = (description: string): TUnsafe<string | null> =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });
