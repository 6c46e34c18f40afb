import express, { type Router } from 'express';
import { fieldsOf, Refusal } from '../kit/fields.ts';
import { jsonBodyOf } from '../kit/request-body.ts';
import { startSimulator, type RunningSimulator } from '../kit/start-simulator.ts';
import { defaultRegistryKey, presetVehicles, type Vehicle } from './preset-vehicles.ts';

export interface VehicleRegistrySimulatorOptions {
  readonly port?: number | undefined;
  /** `defaultRegistryKey` when absent. */
  readonly apiKey?: string | undefined;
}

type Vehicles = Map<string, Vehicle>;

/** A registry of Swedish vehicles: `GET /v1/vehicles/{plate}` with `X-Api-Key`, 404 for an unknown plate. */
export async function startVehicleRegistrySimulator(
  options: VehicleRegistrySimulatorOptions = {},
): Promise<RunningSimulator> {
  const vehicles: Vehicles = new Map(presetVehicles.map((vehicle) => [vehicle.registrationPlate, vehicle]));
  const routes = lookupRoutes(vehicles, options.apiKey ?? defaultRegistryKey);
  return startSimulator({ name: 'vehicle registry', port: options.port, routes, admin: vehicleAdminRoutes(vehicles) });
}

function lookupRoutes(vehicles: Vehicles, apiKey: string): Router {
  const router = express.Router();
  router.get('/v1/vehicles/:plate', (request, response) => {
    if (request.get('X-Api-Key') !== apiKey) throw new Refusal(401, 'InvalidApiKey', 'the API key is unknown');
    const vehicle = vehicles.get(normalisePlate(request.params.plate));
    if (vehicle === undefined) throw new Refusal(404, 'VehicleNotFound', 'no vehicle has this plate');
    response.json(vehicle);
  });
  return router;
}

function vehicleAdminRoutes(vehicles: Vehicles): Router {
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

/** `mlb 84a` and `MLB84A` are the same plate. */
function normalisePlate(plate: string): string {
  return plate.replaceAll(/[\s-]/g, '').toUpperCase();
}
