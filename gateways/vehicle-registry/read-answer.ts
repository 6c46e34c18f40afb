import type { Vehicle } from '../../features/vehicles/rules/vehicle.ts';
import { normalisePlate } from '../../features/vehicles/rules/vehicle.ts';
import { compileSchema } from '../../schemas/compile-schema.ts';
import { text } from '../../schemas/fields.ts';
import { modelYear } from '../../schemas/item-domains/item-domain.ts';
import type { FieldName, RegistryForm } from './registry-forms.ts';

/** A text of an answer, and where it was. */
export interface FoundWord {
  readonly place: string;
  readonly value: string;
}

/** The vehicle of an answer; undefined when it is no vehicle or not the one of `plate`. */
export function readVehicle(form: RegistryForm, body: unknown, plate: string): Vehicle | undefined {
  const words = (field: FieldName): string[] => findWords(form, body, field).map(({ value }) => value);
  const word = (field: FieldName): string => words(field)[0] ?? '';
  const [make, model, year] = [word('make'), word('model'), words('year').map(yearOf).find(isYear) ?? null];
  const isVehicle = make !== '' || model !== '' || year !== null;
  if (!isVehicle || isOfAnother(word('plate'), plate)) return undefined;
  const fuelType = fuelTypeOf(words('fuels'), words('electric'));
  return { registrationPlate: plate, make, model, year, fuelType, color: notShouted(word('color')) };
}

/** The texts at all places of a field, in their order. A number counts as a text; what is null, blank or too long does not. */
export function findWords(form: RegistryForm, body: unknown, field: FieldName): FoundWord[] {
  return form.places[field].flatMap((place) =>
    valuesAt(body, place)
      .map((value) => (typeof value === 'number' ? String(value) : value))
      .filter((value) => aWord.accepts(value))
      .map((value) => ({ place, value: value.trim() })),
  );
}

/** The year that a text is or, as a date, begins with. */
const yearOf = (word: string): number => Number(/^\d{4}(?!\d)/.exec(word)?.[0]);
const isYear = (year: number): boolean => aYear.accepts(year);

const aWord = compileSchema(text({ description: 'A word of an answer', minLength: 1, pattern: '\\S' }));
const aYear = compileSchema(modelYear());

function valuesAt(body: unknown, place: string): unknown[] {
  return place
    .split('.')
    .reduce<unknown[]>((values, name) => values.flatMap((value) => [member(value, name)].flat()), [body]);
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

const ordinaryPlate = /^[A-Z]{3}\d{2}[A-Z\d]$/;

/** A vehicle with a personal plate may be answered under its ordinary one, so two ordinary plates alone contradict each other. */
function isOfAnother(answered: string, plate: string): boolean {
  const other = normalisePlate(answered);
  return other !== undefined && other !== plate && ordinaryPlate.test(other) && ordinaryPlate.test(plate);
}

type FuelType = 'petrol' | 'diesel' | 'electric' | 'hybrid';

/** The specification's fuel; else the registry's words as they are. A vehicle that runs on electricity and anything else is a hybrid. */
function fuelTypeOf(fuels: readonly string[], electric: readonly string[]): string {
  const words = [...new Set(fuels)];
  const known = electric.map(fuelOf).filter((fuel) => fuel !== undefined);
  const all = new Set([...words.flatMap((word) => word.split(/[/,+]| och /)).map(fuelOf), ...known]);
  if (all.has('hybrid') || (all.has('electric') && all.size > 1)) return 'hybrid';
  const [only] = all;
  return all.size === 1 && only !== undefined ? only : words.join('/');
}

function fuelOf(word: string): FuelType | undefined {
  const folded = word.trim().toLowerCase();
  if (folded.includes('hybrid')) return 'hybrid';
  if (/^el(ektr.*)?$/.test(folded)) return 'electric';
  if (folded.includes('bensin')) return 'petrol';
  return folded.includes('diesel') ? 'diesel' : undefined;
}

/** `SVART` → `Svart`; anything else as it is. */
const notShouted = (word: string): string =>
  word === word.toUpperCase() ? word.charAt(0) + word.slice(1).toLowerCase() : word;
