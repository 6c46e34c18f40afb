/** A vehicle as the registry describes it. Source: specification "Vehicle lookup result". */
export interface Vehicle {
  /** Normalised, as core/domains/registration-plate.ts gives it. */
  readonly registrationPlate: string;
  readonly make: string;
  readonly model: string;
  /** Model year. */
  readonly year: number;
  readonly fuelType: string;
  readonly color: string;
}
