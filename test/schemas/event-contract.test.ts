import test from 'ava';
import Type from 'typebox';

import { deliveredTypes } from '../../features/webhooks/rules/event-types.ts';
import { deliveredSchemas } from '../../schemas/events/event-schemas.ts';
import { commonEventData } from '../../schemas/events/event-data.ts';
import { brokenPromises, contractOf, withNewFields } from './event-contract.ts';
import { readContracts } from './golden-files.ts';

const contracts = readContracts();
const advice =
  'a breaking change of a payload needs another event type; "npm run generate -- payloads" adds new fields only';

for (const eventType of deliveredTypes) {
  // specification: 3-payloads-gain-fields
  test(`${eventType} keeps every field that was promised, as it was promised`, (t) => {
    t.deepEqual(brokenPromises(contracts[eventType] ?? {}, contractOf(deliveredSchemas[eventType])), [], advice);
  });
  test(`every field of ${eventType} is recorded`, (t) => {
    const current = contractOf(deliveredSchemas[eventType]);
    const recorded = contracts[eventType] ?? {};
    t.deepEqual(
      Object.keys(withNewFields(recorded, current)),
      Object.keys(recorded),
      'run "npm run generate -- payloads"',
    );
  });
}

test('no event type that was promised is gone', (t) => {
  t.deepEqual(Object.keys(contracts).toSorted(), deliveredTypes.toSorted());
});

/** The recorded `item.images_ready` against one whose data was tampered with. */
function broken(change: (data: Record<string, unknown>) => void): string[] {
  const schema = JSON.parse(JSON.stringify(deliveredSchemas['item.images_ready'])) as {
    properties: { data: { properties: Record<string, unknown>; required: string[] } };
  };
  change(schema.properties.data);
  return brokenPromises(contracts['item.images_ready'] ?? {}, contractOf(schema));
}
type DataSchema = { properties: Record<string, Record<string, unknown>>; required: string[] };
const data = (change: (schema: DataSchema) => void): string[] => broken((schema) => change(schema as never));
/** A field of data, which the compiler can't know to be there. */
const at = (schema: DataSchema, name: string): Record<string, unknown> => schema.properties[name] ?? {};

// specification: 3-payloads-gain-fields
test('a removed field is caught and named', (t) => {
  t.deepEqual(
    data((schema) => delete schema.properties['imagesProcessed']),
    ['data.imagesProcessed was removed'],
  );
});

test('a field removed from the entries of a list is caught and named', (t) => {
  const images = (schema: DataSchema) => at(schema, 'imagesFailed')['items'] as DataSchema;
  t.deepEqual(
    data((schema) => delete images(schema).properties['url']),
    ['data.imagesFailed[].url was removed'],
  );
});

// specification: 3-payloads-gain-fields
test('a retyped field is caught and named', (t) => {
  t.deepEqual(
    data((schema) => (at(schema, 'salePrice')['type'] = 'string')),
    ['data.salePrice: type was "number" and is "string"'],
  );
  t.deepEqual(
    data((schema) => (at(schema, 'currency')['type'] = ['string', 'null'])),
    ['data.currency: type was absent and is ["string","null"]'],
  );
});

// specification: 3-payloads-gain-fields
test('a field that becomes optional is caught and named', (t) => {
  t.deepEqual(
    data((schema) => (schema.required = schema.required.filter((name) => name !== 'sequence'))),
    ['data.sequence may be left out now'],
  );
});

test('a narrowed enum is caught and named, and so is a wider one', (t) => {
  t.deepEqual(
    data((schema) => (at(schema, 'platform')['enum'] = ['marketplace', 'service', 'service_card'])),
    ['data.platform lost the value "service_mobile"'],
  );
  t.deepEqual(
    data((schema) => (at(schema, 'currency')['enum'] = ['SEK', 'EUR'])),
    ['data.currency gained the value "EUR"'],
  );
});

test('a narrowed pattern, format or bound is caught and named', (t) => {
  const envelope = Type.Object({ eventId: Type.String({ pattern: '^evt_.+$' }), at: Type.String({ format: 'uuid' }) });
  const narrowed = Type.Object({
    eventId: Type.String({ pattern: '^evt_[a-f]+$' }),
    at: Type.String({ format: 'uri' }),
  });
  t.deepEqual(brokenPromises(contractOf(envelope), contractOf(narrowed)), [
    'eventId: pattern was "^evt_.+$" and is "^evt_[a-f]+$"',
    'at: format was "uuid" and is "uri"',
  ]);
  t.deepEqual(
    data((schema) => (at(schema, 'imagesProcessed')['minimum'] = 1)),
    ['data.imagesProcessed: minimum was 0 and is 1'],
  );
});

test('a new field breaks no promise', (t) => {
  t.deepEqual(
    data((schema) => {
      schema.properties['later'] = { type: 'string' };
      schema.required.push('later');
    }),
    [],
  );
});

test('only words may differ, and that a number is a double, which changes nothing that is sent', (t) => {
  const reworded = Type.Object({
    platform: Type.Enum([...(commonEventData.platform.enum as string[])], { description: '?' }),
  });
  t.deepEqual(
    brokenPromises(contractOf(Type.Object({ platform: commonEventData.platform })), contractOf(reworded)),
    [],
  );
  const [number, double] = [Type.Number(), Type.Number({ format: 'double' })];
  t.deepEqual(brokenPromises(contractOf(Type.Object({ number })), contractOf(Type.Object({ number: double }))), []);
});
