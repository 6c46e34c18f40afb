import { anyBlankOrDash } from '../../rules/unseen-text.ts';

/**
 * A vehicle as the registry describes it. A text that the registry does not know is ''. At least one of make, model and year is
 * known. Source: specification "Vehicle lookup result".
 */
export interface Vehicle {
  /** Normalised, as features/vehicles/rules/vehicle.ts gives it. */
  readonly registrationPlate: string;
  readonly make: string;
  readonly model: string;
  /** Model year; null when the registry does not know it. */
  readonly year: number | null;
  /** `petrol`, `diesel`, `electric` or `hybrid`, else the registry's word. */
  readonly fuelType: string;
  readonly color: string;
}

/**
 * Any 2 to 7 letters and digits: the rule of personal plates, of which the ordinary ones (three letters, two digits, a
 * digit or letter) are a part. A mistyped ordinary plate therefore passes as a personal one; only the look-up finds it.
 */
const plateForm = /^[A-ZÅÄÖa-zåäö0-9]{2,7}$/;

/**
 * The Swedish plate in the form it is stored and searched: upper case, without blanks and dashes (`mlb 84a` →
 * `MLB84A`); undefined when it can't be one.
 */
export function normalisePlate(input: string): string | undefined {
  const plate = input.normalize('NFC').replace(anyBlankOrDash, '');
  // Checked before the change to upper case, which would turn some foreign letters (ß, ı) into ordinary ones.
  return plateForm.test(plate) ? plate.toUpperCase() : undefined;
}
