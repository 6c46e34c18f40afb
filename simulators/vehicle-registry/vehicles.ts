/** What the admin route puts in. */
export interface Vehicle {
  readonly registrationPlate: string;
  readonly make: string;
  readonly model: string;
  readonly year: number;
  readonly fuelType: 'petrol' | 'diesel' | 'electric' | 'hybrid';
  readonly color: string;
}

/** MLB 84A is reserved for examples, and the digits 000 are never issued, so no plate here belongs to a real car. */
export const presetVehicles: readonly Vehicle[] = [
  { registrationPlate: 'MLB84A', make: 'Volvo', model: 'V60', year: 2021, fuelType: 'hybrid', color: 'Blå' },
  { registrationPlate: 'AAA000', make: 'Saab', model: '9-3', year: 2009, fuelType: 'petrol', color: 'Silver' },
  { registrationPlate: 'BBB000', make: 'Volkswagen', model: 'Passat', year: 2016, fuelType: 'diesel', color: 'Svart' },
  { registrationPlate: 'CCC000', make: 'Tesla', model: 'Model 3', year: 2022, fuelType: 'electric', color: 'Vit' },
  { registrationPlate: 'DDD00A', make: 'Toyota', model: 'Corolla', year: 2020, fuelType: 'hybrid', color: 'Röd' },
];

/** The key that the simulator asks for unless it is told another. */
export const defaultRegistryKey = 'simulator-registry-key';

/** Comes with each whole vehicle of Biluppgifter. Nothing of it may be found in the product's answers, database or logs. */
export const madeUpOwner = { name: 'Agneta Påhittsdotter-Exempelström', idnr: '19000101-0000-påhittat' } as const;
