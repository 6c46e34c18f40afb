import { plateParameter, vehicleSchema } from '../../schemas/vehicles/vehicle.ts';
import type { Route } from '../http/route.ts';
import { getVehicleLookup } from '../handlers/vehicles.ts';

export const vehicleRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/vehicles/lookup',
    name: 'lookUpVehicle',
    ...{ credential: 'either', keyScope: 'items:read' },
    tag: 'Vehicles',
    summary: 'Look a vehicle up by its registration plate',
    description: [
      '- 429 `RATE_LIMITED`: also when the account has used up its look-ups in the registry, which are bounded by the minute and the day. What was looked up in the last 24 hours is still answered.',
      '- 503 `UNAVAILABLE`: the registry is out of reach, or no look-ups are left at all.',
    ].join('\n'),
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
