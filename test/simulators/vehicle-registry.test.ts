import test from 'ava';
import { defaultRegistryKey } from '../../simulators/vehicle-registry/preset-vehicles.ts';
import { startVehicleRegistrySimulator } from '../../simulators/vehicle-registry/start-vehicle-registry-simulator.ts';
import { call } from './support/call.ts';

test('knows its preset vehicles and those that a test puts there, by plate and with a key', async (t) => {
  const registry = await startVehicleRegistrySimulator();
  t.teardown(() => registry.close());
  const get = (plate: string, key = defaultRegistryKey) =>
    call('GET', `${registry.url}/v1/vehicles/${plate}`, { headers: { 'x-api-key': key } });
  t.like((await get('mlb%2084a')).json(), { registrationPlate: 'MLB84A', make: 'Volvo', year: 2021 });
  t.is((await get('ZZZ000')).status, 404);
  t.is((await get('MLB84A', 'wrong')).status, 401);
  const body = { make: 'Saab', model: '900', year: 1990, fuelType: 'petrol', color: 'Röd' };
  t.is((await call('PUT', `${registry.adminUrl}/vehicles/zzz000`, { body })).status, 200);
  t.deepEqual((await get('ZZZ000')).json(), { registrationPlate: 'ZZZ000', ...body });
  t.is((await call('PUT', `${registry.adminUrl}/vehicles/X`, { body: { ...body, year: 'old' } })).status, 400);
});
