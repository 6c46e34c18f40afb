import Type from 'typebox';

import { nullableText, text } from '../text.ts';
import { modelYear } from './model-year.ts';

export const catalogCodesBytesMax = 65_536;

/** The keys belong to the partner: they are not listed here, and are stored verbatim whatever they are. */
const catalogCodes = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', format: 'plain-text' },
  propertyNames: { format: 'plain-text' },
  'x-max-bytes': catalogCodesBytesMax,
  description:
    "Codes of the part in other systems: the key is a short stable system identifier of the partner's choice, the value " +
    "that system's code. Stored and returned unchanged. Keys and values together at most 64 KB.",
  examples: [{ systemA: '0412-7731', systemB: 'BR/55.2' }],
});

/** Source: specification "auto_parts". */
export const autoPartsAttributes = Type.Object({
  vehicle: Type.Optional(
    Type.Object(
      {
        manufacturer: Type.Optional(text({ description: 'Donor vehicle manufacturer', examples: ['Volvo'] })),
        model: Type.Optional(text({ description: 'Donor vehicle model', examples: ['V70'] })),
        year: Type.Optional(modelYear()),
        vehicleType: Type.Optional(
          Type.Enum(['Bil', 'MC', 'Skoter', 'ATV', 'Husvagn', 'Moped', 'Traktor'], {
            $id: 'VehicleType',
            description:
              'Bil passenger car, MC motorcycle, Skoter snowmobile, ATV quad, Husvagn caravan or trailer, Moped, Traktor tractor',
          }),
        ),
      },
      { $id: 'DonorVehicle', description: 'The vehicle the part was taken from' },
    ),
  ),
  part: Type.Optional(
    Type.Object(
      {
        name: Type.Optional(text({ description: 'Part name for people', examples: ['Bromsskiva fram'] })),
        oemNumber: Type.Optional(text({ description: 'OEM part number', examples: ['1K0 615 301 AA'] })),
        catalogCodes: Type.Optional(catalogCodes),
      },
      { $id: 'SoldPart', description: 'The part sold' },
    ),
  ),
  conditionGrade: Type.Optional(
    Type.Enum(['A*', 'A', 'B', 'C'], {
      $id: 'ConditionGrade',
      description: 'A* new old stock, A excellent, B good, C fair',
      // Generators that drop the star would call two values A.
      'x-enum-varnames': ['A_STAR', 'A', 'B', 'C'],
    }),
  ),
  conditionNote: Type.Optional(
    nullableText({ description: 'Free text about the condition; appended to the marketplace ad', maxLength: 5_000 }),
  ),
});
