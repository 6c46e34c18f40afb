/** The two registries that the service can ask. */
export type RegistryKind = keyof typeof registryForms;

/** `whole` has the fuel, and owners and debts with it. `simple` has neither. */
export type LookupKind = 'whole' | 'simple';

/**
 * How one registry is asked, and where its answer has each field. Of several places the first with a value counts; of a list every
 * member. What has no place here is not read.
 */
export interface RegistryForm {
  readonly url: string;
  readonly path: (plate: string, lookup: LookupKind) => string;
  readonly keyHeaders: (apiKey: string) => Readonly<Record<string, string>>;
  readonly places: Readonly<Record<FieldName, readonly string[]>>;
}

/** `fuels` and `electric` together say the fuel. */
export type FieldName = 'plate' | 'make' | 'model' | 'year' | 'fuels' | 'electric' | 'color';

export const registryForms = {
  biluppgifter: {
    url: 'https://data.biluppgifter.se',
    path: (plate, lookup) =>
      `/api/v1/${lookup === 'simple' ? 'lookup/' : ''}vehicle/regno/${encodeURIComponent(plate)}`,
    keyHeaders: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
    places: {
      plate: ['vehicle.regnr'],
      make: ['vehicle.make'],
      model: ['vehicle.model', 'vehicle.market_name'],
      year: ['vehicle.model_year', 'vehicle.vehicle_year', 'vehicle.manufactured'],
      fuels: ['vehicle.technical.drive.fuel'],
      electric: ['vehicle.technical.electric_vehicle_configuration'],
      color: ['vehicle.color', 'vehicle.exterior_color'],
    },
  },
  tic: {
    url: 'https://api.tic.io',
    path: (plate) => `/datasets/vehicles/se/licence-plate/${encodeURIComponent(plate)}`,
    keyHeaders: (apiKey) => ({ 'x-api-key': apiKey }),
    // The Swedish names are those of the public register, which this registry hands on. No source names its field of the fuel.
    places: {
      plate: ['licencePlate'],
      make: ['manufacturer', 'tillverkare'],
      model: ['tradeName', 'handelsbeteckning', 'vehicleName', 'fordonsbenamning'],
      year: ['modelYear', 'arsmodell', 'vehicleYear'],
      fuels: ['fuelType', 'fuel', 'drivmedel'],
      electric: [],
      color: ['color', 'farg'],
    },
  },
} satisfies Readonly<Record<string, RegistryForm>>;
