import test from 'ava';
import { examples, exampleOf } from '../../verification/isolation/support/examples.ts';
import { exceptions } from '../../verification/isolation/support/exceptions.ts';
import { operations } from '../../verification/isolation/support/operations.ts';

// The matrix itself takes minutes (npm run verify -- isolation). That an operation is in it is asked with every change.

// specification: every-operation-with-another
test('every operation of the interface document says how the isolation matrix calls it', (t) => {
  for (const operation of operations) t.notThrows(() => exampleOf(operation));
  const ids = new Set(operations.map(({ id }) => id));
  t.deepEqual(
    [...Object.keys(examples), ...exceptions.map(({ operation }) => operation)].filter((id) => !ids.has(id)),
    [],
    'there is no such operation any more',
  );
});
