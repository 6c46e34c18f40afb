import test from 'ava';

import { deliveredTypes } from '../../features/webhooks/rules/event-types.ts';
import { deliveredSchemas } from '../../schemas/events/event-schemas.ts';
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
