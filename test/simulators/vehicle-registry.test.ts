import test, { type ExecutionContext } from 'ava';
import { startVehicleRegistrySimulator } from '../../simulators/vehicle-registry/start-vehicle-registry-simulator.ts';
import { defaultRegistryKey } from '../../simulators/vehicle-registry/vehicles.ts';
import { call } from './support/call.ts';

async function aRegistry(t: ExecutionContext) {
  const registry = await startVehicleRegistrySimulator();
  t.teardown(() => registry.close());
  return {
    ...registry,
    whole: (plate: string, key = defaultRegistryKey) =>
      call('GET', `${registry.url}/api/v1/vehicle/regno/${plate}`, { headers: { authorization: `Bearer ${key}` } }),
    ofTic: (plate: string, key = defaultRegistryKey) =>
      call('GET', `${registry.url}/datasets/vehicles/se/licence-plate/${plate}`, { headers: { 'x-api-key': key } }),
  };
}

test('knows its preset vehicles and those that a test puts there, by plate and with a key, in both forms', async (t) => {
  const { whole, ofTic, adminUrl } = await aRegistry(t);
  const body = { make: 'Saab', model: '900', year: 1990, fuelType: 'petrol', color: 'Röd' };
  for (const get of [whole, ofTic]) {
    t.is((await get('MLB84A')).status, 200);
    t.is((await get('mlb84a')).status, 404, 'in upper case alone');
    t.is((await get('MLB84A', 'wrong')).status, 401);
    t.is((await get('ZZZ000')).status, 404);
  }
  t.deepEqual((await call('PUT', `${adminUrl}/vehicles/zzz000`, { body })).json(), {
    registrationPlate: 'ZZZ000',
    ...body,
  });
  t.like((await whole('ZZZ000')).json(), {
    vehicle: { regnr: 'ZZZ000', make: 'Saab', model_year: 1990, technical: { drive: [{ fuel: 'Bensin' }] } },
  });
  t.like((await ofTic('ZZZ000')).json(), { licencePlate: 'ZZZ000', manufacturer: 'SAAB', color: 'RÖD' });
  t.is((await call('PUT', `${adminUrl}/vehicles/X`, { body: { ...body, year: 'old' } })).status, 400);
});

test('counts calls, tells what is left in the form that has headers for it, and begins anew at the reset', async (t) => {
  const { whole, ofTic, adminUrl } = await aRegistry(t);
  t.is((await call('POST', `${adminUrl}/limit`, { body: { calls: 2, seconds: 60 } })).status, 204);
  t.is((await ofTic('MLB84A')).headers['x-ratelimit-limit'], undefined);
  t.like((await whole('MLB84A')).headers, { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' });
  t.deepEqual([(await whole('MLB84A')).status, (await ofTic('MLB84A')).status], [429, 429]);
  await call('POST', `${adminUrl}/clock`, { body: { advanceSeconds: 61 } });
  t.is((await whole('MLB84A')).status, 200);
});
