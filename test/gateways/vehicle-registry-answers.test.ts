import test from 'ava';
import { readVehicle } from '../../gateways/vehicle-registry/read-answer.ts';
import { registryForms, type RegistryForm } from '../../gateways/vehicle-registry/registry-forms.ts';

// Answers as public clients of the two registries tell them, and what the product makes of each.

const { biluppgifter, tic } = registryForms;
const plate = 'MLB84A';
const unknown = { registrationPlate: plate, make: '', model: '', year: null, fuelType: '', color: '' };

const ofBiluppgifter = (vehicle: object): object => ({ vehicle: { regnr: plate, ...vehicle } });
const withDrive = (fuels: readonly (string | null)[], electric: string | null = null): object =>
  ofBiluppgifter({
    make: 'Volvo',
    technical: { drive: fuels.map((fuel) => ({ fuel, power: 110 })), electric_vehicle_configuration: electric },
  });

const read: readonly (readonly [what: string, form: RegistryForm, body: object, vehicle: object])[] = [
  [
    'a whole vehicle',
    biluppgifter,
    ofBiluppgifter({
      make: 'Volvo',
      model: 'V70',
      market_name: 'V70 II',
      model_year: 2016,
      vehicle_year: 2015,
      color: 'Svart',
      technical: { drive: [{ fuel: 'Diesel', power_hp: 181 }], electric_vehicle_configuration: null },
    }),
    { make: 'Volvo', model: 'V70', year: 2016, fuelType: 'diesel', color: 'Svart' },
  ],
  [
    'every field null but the make',
    biluppgifter,
    ofBiluppgifter({
      make: 'Volvo',
      model: null,
      market_name: null,
      model_year: null,
      vehicle_year: null,
      manufactured: null,
      color: null,
      technical: { drive: null, electric_vehicle_configuration: null },
    }),
    { make: 'Volvo' },
  ],
  ['nothing but a name', biluppgifter, { vehicle: { market_name: ' XC90 ' } }, { model: 'XC90' }],
  ['a year as a text', biluppgifter, ofBiluppgifter({ model_year: '2016' }), { year: 2016 }],
  [
    'the vehicle year, where the model year is 0',
    biluppgifter,
    ofBiluppgifter({ model_year: 0, vehicle_year: '2015' }),
    { year: 2015 },
  ],
  [
    'the year of the day on which it was made',
    biluppgifter,
    ofBiluppgifter({ manufactured: '2014-11-03' }),
    { year: 2014 },
  ],
  [
    'a model that is a number',
    biluppgifter,
    ofBiluppgifter({ make: 'Saab', model: 900 }),
    { make: 'Saab', model: '900' },
  ],
  [
    'its paint, where it has no colour',
    biluppgifter,
    ofBiluppgifter({ make: 'Volvo', exterior_color: 'Grå' }),
    { make: 'Volvo', color: 'Grå' },
  ],
  [
    'a text that is too long to be one',
    biluppgifter,
    ofBiluppgifter({ make: 'Volvo', model: 'x'.repeat(256) }),
    { make: 'Volvo' },
  ],
  [
    'the English names of TIC',
    tic,
    {
      licencePlate: 'MLB84A',
      manufacturer: 'VOLVO',
      tradeName: 'V70 D4',
      modelYear: 2016,
      vehicleYear: 2015,
      color: 'MÖRKBLÅ',
      mileageKm: 142_000,
    },
    { make: 'VOLVO', model: 'V70 D4', year: 2016, color: 'Mörkblå' },
  ],
  [
    'the Swedish names of TIC',
    tic,
    { tillverkare: 'TESLA', handelsbeteckning: 'MODEL 3', arsmodell: '2021', farg: 'Vit', drivmedel: 'EL' },
    { make: 'TESLA', model: 'MODEL 3', year: 2021, fuelType: 'electric', color: 'Vit' },
  ],
  [
    'the vehicle year of TIC',
    tic,
    { manufacturer: 'VOLVO', modelYear: null, vehicleYear: 1999 },
    { make: 'VOLVO', year: 1999 },
  ],
  [
    'fuels of TIC in a list',
    tic,
    { manufacturer: 'VOLVO', fuel: ['BENSIN', 'ETANOL'] },
    { make: 'VOLVO', fuelType: 'BENSIN/ETANOL' },
  ],
];

for (const [what, form, body, vehicle] of read) {
  test(`is read: ${what}`, (t) => {
    t.deepEqual(readVehicle(form, body, plate), { ...unknown, ...vehicle });
  });
}

for (const [fuels, electric, fuelType] of [
  [['Bensin'], null, 'petrol'],
  [['Diesel'], 'Okänd', 'diesel'],
  [['El'], 'El', 'electric'],
  [['El'], null, 'electric'],
  [[], 'El', 'electric'],
  [['Bensin', 'El'], 'Laddhybrid', 'hybrid'],
  [['Diesel', 'El'], null, 'hybrid'],
  [['Bensin'], 'Elhybrid', 'hybrid'],
  [['Bensin/El'], null, 'hybrid'],
  [['Etanol/E85'], null, 'Etanol/E85'],
  [['Bensin', 'Etanol/E85'], null, 'Bensin/Etanol/E85'],
  [['Gas'], null, 'Gas'],
  [[null], null, ''],
] as const) {
  test(`fuel ${JSON.stringify(fuels)} with ${String(electric)} is "${fuelType}"`, (t) => {
    t.is(readVehicle(biluppgifter, withDrive(fuels, electric), plate)?.fuelType, fuelType);
  });
}

for (const [what, body] of [
  ['no object', null],
  ['a list', [ofBiluppgifter({ make: 'Volvo' })]],
  ['an object without a vehicle', {}],
  ['a vehicle that is null', { vehicle: null }],
  ['a vehicle without make, model and year', ofBiluppgifter({ color: 'Svart' })],
  ['another vehicle than the one asked for', { vehicle: { regnr: 'AAA000', make: 'Volvo' } }],
] as const) {
  test(`is no vehicle: ${what}`, (t) => {
    t.is(readVehicle(biluppgifter, body, plate), undefined);
  });
}

test('a plate is the same however it is written, and a personal one may be answered under the ordinary one', (t) => {
  const answered = (regnr: string) => ({ vehicle: { regnr, make: 'Volvo' } });
  t.is(readVehicle(biluppgifter, answered('mlb 84a'), plate)?.registrationPlate, plate);
  t.is(readVehicle(biluppgifter, answered('AAA000'), 'GURKA')?.registrationPlate, 'GURKA');
});
