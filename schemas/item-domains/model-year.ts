import Type, { type TInteger } from 'typebox';

/** The bounds are wide: they catch typing errors and two-digit years only. */
export const modelYear = (): TInteger =>
  Type.Integer({ minimum: 1800, maximum: 2200, description: 'Model year', examples: [2008] });
