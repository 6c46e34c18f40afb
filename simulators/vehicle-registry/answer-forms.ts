import { madeUpOwner, type Vehicle } from './vehicles.ts';

// Written from what public clients of the two registries read, and from the makers' own lists of fields as quoted in public.

const drives: Readonly<Record<Vehicle['fuelType'], { fuels: readonly string[]; electric: string | null }>> = {
  petrol: { fuels: ['Bensin'], electric: null },
  diesel: { fuels: ['Diesel'], electric: null },
  electric: { fuels: ['El'], electric: 'El' },
  hybrid: { fuels: ['Bensin', 'El'], electric: 'Laddhybrid' },
};

/** The whole vehicle of Biluppgifter, with its owners and debts. */
export function wholeVehicle(vehicle: Vehicle): unknown {
  const { fuels, electric } = drives[vehicle.fuelType];
  const technical = {
    chassi: ['Kombi'],
    four_wheel_drive: false,
    electric_vehicle_configuration: electric,
    drive: fuels.map((fuel) => ({ fuel, power: 110, power_hp: 150, co2: null })),
  };
  const owner = { id: null, status: 'Aktiv', address: null, post_code: '00000', city: 'Exempelköping', ...madeUpOwner };
  return {
    vehicle: { ...basicsOf(vehicle), model_year: vehicle.year, manufactured: null, technical },
    owner,
    real_owner: null,
    historical_owners: [{ date: '2022-02-02', type: 'Köp', owner }],
    debts: { fordonsskatt_restfort: 1234, parkeringsanmarkning_restfort: null },
    bans: { meddelat_korforbud: false },
  };
}

/** The simple look-up of Biluppgifter: neither owners nor technical data. Its year is a text. */
export const simpleVehicle = (vehicle: Vehicle): unknown => ({ vehicle: basicsOf(vehicle) });

const basicsOf = ({ registrationPlate, make, model, year, color }: Vehicle) => ({
  regnr: registrationPlate,
  vin: null,
  type: 'Personbil',
  status: 'Itrafik',
  make,
  model,
  market_name: null,
  variant: null,
  color,
  transmission: null,
  vehicle_year: String(year),
});

/** TIC's vehicle. No source names its field of the fuel, so it has none. */
export const ticVehicle = ({ registrationPlate, make, model, year, color }: Vehicle): unknown => ({
  licencePlate: registrationPlate,
  manufacturer: make.toUpperCase(),
  tradeName: model.toUpperCase(),
  modelYear: year,
  vehicleYear: year,
  color: color.toUpperCase(),
  mileageKm: 142_000,
});
