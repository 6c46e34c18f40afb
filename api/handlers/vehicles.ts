import type { VehicleAnswer } from '../../schemas/vehicles/vehicle.ts';
import { readVehicle } from '../../usecases/vehicles/read-vehicle.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

/** `Age` is the age of the answer in seconds; over a day only while the registry is unavailable. */
export async function getVehicleLookup({ context, scope, query }: ScopedCall): Promise<Answer> {
  const { vehicle, ageSeconds } = await readVehicle(context, scope, query['plate']);
  const { registrationPlate, make, model, year, fuelType, color } = vehicle;
  const body: VehicleAnswer = { registrationPlate, make, model, year, fuelType, color };
  return { status: 200, body, headers: { Age: String(ageSeconds) } };
}
