import type { Vehicle } from '../../features/vehicles/rules/vehicle.ts';
import {
  openRegistryClient,
  vehicleOf,
  type RegistryAnswer,
  type VehicleRegistrySettings,
} from './http-vehicle-registry.ts';
import { RegistryUnavailable, type RegistryProblem } from './port.ts';
import { findWords, type FoundWord } from './read-answer.ts';
import type { FieldName, RegistryForm } from './registry-forms.ts';

/** One look-up for an operator: what came, and how it was read. It holds values of the fields that are read, and no others. */
export interface RegistryProbe {
  readonly outcome: 'vehicle' | 'unknown_plate' | RegistryProblem;
  /** Why there is no vehicle; null with one. */
  readonly reason: string | null;
  /** null without an answer of HTTP, as in all that follows. */
  readonly answer: {
    readonly url: string;
    readonly status: number;
    /** Headers `X-RateLimit-*` and `Retry-After`, as they came. */
    readonly limits: Readonly<Record<string, string>>;
    /** Every value that a field can be read from; of several the first counts. */
    readonly came: readonly (FoundWord & { readonly field: FieldName })[];
    /** Names of what came beside the vehicle. Their values may be personal data. */
    readonly notRead: readonly string[];
  } | null;
  readonly vehicle: Vehicle | null;
}

/** Asks the registry once. Throws only for settings that can't be used. */
export async function probeRegistry(settings: VehicleRegistrySettings, plate: string): Promise<RegistryProbe> {
  const client = openRegistryClient(settings);
  let answer: RegistryAnswer | null = null;
  const seen = (): RegistryProbe['answer'] => (answer === null ? null : describeAnswer(client.form, answer));
  try {
    answer = await client.ask(plate);
    const vehicle = vehicleOf(client.form, answer, plate);
    const reason = vehicle === null ? 'the vehicle registry knows no such plate' : null;
    return { outcome: vehicle === null ? 'unknown_plate' : 'vehicle', reason, answer: seen(), vehicle };
  } catch (error) {
    if (!(error instanceof RegistryUnavailable)) throw error;
    return { outcome: error.problem, reason: error.message, answer: seen(), vehicle: null };
  } finally {
    await client.close();
  }
}

const fieldNames = ['plate', 'make', 'model', 'year', 'fuels', 'electric', 'color'] as const;

function describeAnswer(form: RegistryForm, { url, status, headers, body }: RegistryAnswer): RegistryProbe['answer'] {
  const limits = Object.entries(headers).filter(([name]) => name.startsWith('x-ratelimit-') || name === 'retry-after');
  return {
    url,
    status,
    limits: Object.fromEntries(limits.map(([name, value]) => [name, String(value)])),
    came: fieldNames.flatMap((field) => findWords(form, body, field).map((found) => ({ field, ...found }))),
    notRead: notReadIn(form, body),
  };
}

/** Names of the answer's members in which no field has its place. */
function notReadIn(form: RegistryForm, body: unknown): string[] {
  const read = new Set(Object.values(form.places).flatMap((places) => places.map((place) => place.split('.')[0])));
  return typeof body === 'object' && body !== null ? Object.keys(body).filter((name) => !read.has(name)) : [];
}
