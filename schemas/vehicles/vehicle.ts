import Type, { type Static } from 'typebox';
import { problem } from '../../features/rules/field-problems.ts';
import { normalisePlate } from '../../features/vehicles/rules/vehicle.ts';
import { compileReader, validationFailed } from '../compile-schema.ts';
import { text } from '../fields.ts';

/** Source: specification "Vehicle lookup result". */
export const vehicleSchema = Type.Object(
  {
    registrationPlate: Type.String({ description: 'In upper case without spaces' }),
    make: Type.String({ description: 'Brand' }),
    model: Type.String({ description: 'Model name' }),
    year: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Model year; null when the registry does not know it',
    }),
    fuelType: Type.String({
      description: '`petrol`, `diesel`, `electric` or `hybrid`, else the word of the registry',
      examples: ['petrol'],
    }),
    color: Type.String({ description: 'Body colour, in the words of the registry' }),
  },
  {
    $id: 'Vehicle',
    title: 'Vehicle',
    description: 'A vehicle as the vehicle registry describes it. A text that the registry does not know is empty',
  },
);
export type VehicleAnswer = Static<typeof vehicleSchema>;

const described = {
  description: 'Swedish registration plate; case, spaces and hyphens do not matter',
  maxLength: 20,
  format: 'registration-plate',
  examples: ['MLB 84A'],
};

/** For the interface document: the pattern gives programs the rule that the description gives in words. */
export const plateParameter = text({ ...described, pattern: '^[ -]*([A-Za-zÅÄÖåäö0-9][ -]*){2,7}$' });

/** Without the pattern, so that a wrong plate gives one message instead of two. */
const readQuery = compileReader(Type.Object({ plate: text(described) }));

/** The plate in its normal form. Throws Refusal VALIDATION_FAILED at `plate`. */
export function readPlate(sent: string | undefined): string {
  const { plate } = readQuery(sent === undefined ? {} : { plate: sent });
  const normal = normalisePlate(plate);
  if (normal === undefined) throw validationFailed([problem('plate', 'not_plate', {})]);
  return normal;
}
