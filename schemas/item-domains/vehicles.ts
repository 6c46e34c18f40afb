import Type from 'typebox';

import { text } from '../text.ts';
import { modelYear } from './model-year.ts';

/** Source: specification "vehicles". */
export const vehiclesAttributes = Type.Object({
  registrationPlate: Type.Optional(
    text({
      description: 'Swedish registration plate; stored in upper case without spaces',
      maxLength: 20,
      format: 'registration-plate',
      examples: ['MLB 84A'],
    }),
  ),
  make: Type.Optional(text({ description: 'Brand', examples: ['Volvo'] })),
  model: Type.Optional(text({ description: 'Model name', examples: ['V70'] })),
  year: Type.Optional(modelYear()),
  mileageKm: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100_000_000, description: 'Odometer in km', examples: [182_300] }),
  ),
  fuelType: Type.Optional(
    Type.Enum(['petrol', 'diesel', 'electric', 'hybrid'], { $id: 'FuelType', description: 'Fuel' }),
  ),
  color: Type.Optional(text({ description: 'Body colour', examples: ['blå'] })),
});
