import Type, { type TInteger } from 'typebox';

/** Wide bounds: they catch typing errors and two-digit years, not history. */
export const modelYear = (): TInteger =>
  Type.Integer({ minimum: 1800, maximum: 2200, description: 'Model year', examples: [2008] });
