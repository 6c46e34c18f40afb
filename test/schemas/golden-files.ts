import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { deliveredTypes, type DeliveredType } from '../../features/webhooks/rules/event-types.ts';
import { deliveredSchemas } from '../../schemas/events/event-schemas.ts';
import { contractOf, withNewFields, type Contract } from './event-contract.ts';

type Json = Readonly<Record<string, unknown>>;

const folder = new URL('golden/', import.meta.url);
const payloadFile = (eventType: DeliveredType, variant: string): URL =>
  new URL(`events/${eventType}/${variant}.json`, folder);
const contractFile = new URL('event-contract.json', folder);

/** An answer of the API as it was recorded. */
export const goldenAnswer = (name: string): Json => readJson(new URL(`${name}.json`, folder));

export interface Payload {
  readonly variant: string;
  readonly body: Json & { readonly data: Json };
}

/** Bodies of the type as they were delivered once, whatever version of the product did it. */
export function recordedPayloads(eventType: DeliveredType): Payload[] {
  const variants = new URL(`events/${eventType}/`, folder);
  if (!existsSync(variants)) return [];
  return readdirSync(variants)
    .toSorted()
    .map((name) => ({
      variant: name.replace(/\.json$/, ''),
      body: readJson(new URL(name, variants)) as Payload['body'],
    }));
}

export const isPayloadRecorded = (eventType: DeliveredType, variant: string): boolean =>
  existsSync(payloadFile(eventType, variant));

/** Keeps the body of a delivery; only its line breaks are new. */
export function writePayload(eventType: DeliveredType, variant: string, body: unknown): void {
  const file = payloadFile(eventType, variant);
  mkdirSync(dirname(file.pathname), { recursive: true });
  writeFileSync(file, `${JSON.stringify(body, null, 2)}\n`);
}

/** What was promised of each event type. */
export const readContracts = (): Readonly<Partial<Record<string, Contract>>> =>
  existsSync(contractFile) ? (readJson(contractFile) as Record<string, Contract>) : {};

/** Adds what is new to the recorded promises; what is there stays, so that a breaking change can't be recorded away. */
export function addToContracts(): void {
  const recorded = readContracts();
  const entries = deliveredTypes.map((type) => [
    type,
    withNewFields(recorded[type] ?? {}, contractOf(deliveredSchemas[type])),
  ]);
  writeFileSync(contractFile, `${JSON.stringify({ ...recorded, ...Object.fromEntries(entries) }, null, 2)}\n`);
}

function readJson(file: URL): Json {
  return JSON.parse(readFileSync(file, 'utf8')) as Json;
}
