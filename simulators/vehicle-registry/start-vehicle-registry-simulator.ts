import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { createClock, type Clock } from '../kit/clock.ts';
import { fieldsOf, Refusal } from '../kit/fields.ts';
import { jsonBodyOf } from '../kit/request-body.ts';
import { startSimulator, type RunningSimulator } from '../kit/start-simulator.ts';
import { simpleVehicle, ticVehicle, wholeVehicle } from './answer-forms.ts';
import { CallLimit } from './call-limit.ts';
import { defaultRegistryKey, presetVehicles, type Vehicle } from './vehicles.ts';

export interface VehicleRegistrySimulatorOptions {
  readonly port?: number | undefined;
  /** `defaultRegistryKey` when absent. */
  readonly apiKey?: string | undefined;
}

type Vehicles = Map<string, Vehicle>;

/** Two registries of Swedish vehicles at one address: Biluppgifter and TIC, each with its own paths, key header and answers. */
export async function startVehicleRegistrySimulator(
  options: VehicleRegistrySimulatorOptions = {},
): Promise<RunningSimulator> {
  const vehicles: Vehicles = new Map(presetVehicles.map((vehicle) => [vehicle.registrationPlate, vehicle]));
  const clock = createClock();
  const limit = new CallLimit(clock);
  const routes = lookupRoutes({ vehicles, limit, clock, apiKey: options.apiKey ?? defaultRegistryKey });
  const admin = vehicleAdminRoutes(vehicles, limit);
  return startSimulator({ name: 'vehicle registry', port: options.port, clock, routes, admin });
}

interface Parts {
  readonly vehicles: Vehicles;
  readonly limit: CallLimit;
  readonly clock: Clock;
  readonly apiKey: string;
}

function lookupRoutes({ vehicles, limit, clock, apiKey }: Parts): Router {
  const router = express.Router();
  const answer =
    (form: (vehicle: Vehicle) => unknown): RequestHandler<{ plate: string }> =>
    ({ params: { plate } }, response) => {
      const vehicle = vehicles.get(plate);
      if (vehicle === undefined) throw new Refusal(404, 'NotFound', 'no vehicle has this plate');
      response.json(form(vehicle));
    };
  const byBearer = withKey((request) => request.get('Authorization') === `Bearer ${apiKey}`);
  const byHeader = withKey((request) => request.get('x-api-key') === apiKey);
  const limited =
    (tells: boolean): RequestHandler<{ plate: string }> =>
    (_request, response, next) => {
      limit.take((name, value) => (tells ? response.set(name, value) : undefined));
      next();
    };
  router.use((_request: Request, response: Response, next) => {
    response.set('Date', new Date(clock.now()).toUTCString());
    next();
  });
  router.get('/api/v1/vehicle/regno/:plate', byBearer, limited(true), answer(wholeVehicle));
  router.get('/api/v1/lookup/vehicle/regno/:plate', byBearer, limited(true), answer(simpleVehicle));
  // Of TIC no header with a limit is known.
  router.get('/datasets/vehicles/se/licence-plate/:plate', byHeader, limited(false), answer(ticVehicle));
  return router;
}

const withKey =
  (isRight: (request: Request<{ plate: string }>) => boolean): RequestHandler<{ plate: string }> =>
  (request, _response, next) => {
    if (!isRight(request)) throw new Refusal(401, 'Unauthorized', 'the key is unknown');
    next();
  };

function vehicleAdminRoutes(vehicles: Vehicles, limit: CallLimit): Router {
  const router = express.Router();
  router.get('/vehicles', (_request, response) => {
    response.json({ vehicles: [...vehicles.values()] });
  });
  router.put('/vehicles/:plate', (request, response) => {
    const vehicle = parseVehicle(normalisePlate(request.params.plate), jsonBodyOf(request));
    vehicles.set(vehicle.registrationPlate, vehicle);
    response.json(vehicle);
  });
  router.delete('/vehicles/:plate', (request, response) => {
    vehicles.delete(normalisePlate(request.params.plate));
    response.status(204).end();
  });
  router.post('/limit', (request, response) => {
    const fields = fieldsOf(jsonBodyOf(request));
    const seconds = fields.number('seconds', { whole: true, min: 1, max: 31 * 86_400 });
    limit.change({ calls: fields.number('calls', { whole: true }), seconds });
    response.status(204).end();
  });
  return router;
}

function parseVehicle(registrationPlate: string, body: unknown): Vehicle {
  const fields = fieldsOf(body);
  return {
    registrationPlate,
    make: fields.text('make', { min: 1, max: 100 }),
    model: fields.text('model', { min: 1, max: 100 }),
    year: fields.number('year', { whole: true, min: 1880, max: 2100 }),
    fuelType: fields.oneOf('fuelType', ['petrol', 'diesel', 'electric', 'hybrid']),
    color: fields.text('color', { max: 100 }),
  };
}

/** In the admin routes `mlb 84a` and `MLB84A` are the same plate; the registries take it in upper case without blanks alone. */
function normalisePlate(plate: string): string {
  return plate.replaceAll(/[\s-]/g, '').toUpperCase();
}
