import Type from 'typebox';
import { normalisePlate, type Vehicle } from '../../core/vehicles/vehicle.ts';
import { compileSchema } from '../../schemas/compile-schema.ts';
import { modelYear } from '../../schemas/item-domains/item-domain.ts';
import { text } from '../../schemas/fields.ts';

/** The registry's own paths, headers and answer formats. */
export const keyHeader = 'X-Api-Key';
export const vehiclePath = (plate: string): string => `/v1/vehicles/${encodeURIComponent(plate)}`;

const word = (description: string) => text({ description, minLength: 1, pattern: '\\S' });

const vehicleAnswer = compileSchema(
  Type.Object({
    registrationPlate: word('Plate'),
    make: word('Brand'),
    model: word('Model name'),
    year: modelYear(),
    fuelType: word('Fuel'),
    color: text({ description: 'Body colour' }),
  }),
);

const unknownPlateAnswer = compileSchema(
  Type.Object({ error: Type.Object({ code: Type.Literal('VehicleNotFound') }) }),
);

/** The vehicle of an answer with status 200; undefined when it isn't one, or is another one than `plate`. */
export function readVehicle(body: unknown, plate: string): Vehicle | undefined {
  if (!vehicleAnswer.accepts(body) || normalisePlate(body.registrationPlate) !== plate) return undefined;
  const { make, model, year, fuelType, color } = body;
  return {
    registrationPlate: plate,
    make: make.trim(),
    model: model.trim(),
    year,
    fuelType: fuelType.trim(),
    color: color.trim(),
  };
}

/** True when a 404 is the registry's answer about the plate, not that of a server in between or of a wrong address. */
export const saysUnknownPlate = (body: unknown): boolean => unknownPlateAnswer.accepts(body);
