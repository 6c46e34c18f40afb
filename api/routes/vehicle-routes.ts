import { plateParameter } from '../../schemas/vehicles/plate.ts';
import { vehicleSchema } from '../../schemas/vehicles/vehicle.ts';
import type { Route } from '../http/route.ts';
import { getVehicleLookup } from '../vehicles/get-vehicle-lookup.ts';

export const vehicleRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/vehicles/lookup',
    credential: 'either',
    tag: 'Vehicles',
    summary: 'Look a vehicle up by its registration plate',
    query: { plate: { required: true, description: 'Swedish registration plate', schema: plateParameter } },
    answers: {
      200: {
        description: 'The vehicle; answers are kept for 24 hours, and longer while the registry is out of reach',
        schema: vehicleSchema,
        headers: { Age: 'Seconds since the registry was asked' },
      },
    },
    refusals: ['VALIDATION_FAILED', 'NOT_FOUND', 'UNAVAILABLE'],
    handle: getVehicleLookup,
  },
];
