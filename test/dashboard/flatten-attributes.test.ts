import test from 'ava';
import { flattenAttributes } from '../../web/dashboard/src/pages/item/flatten-attributes.ts';

test('nested attributes become one line each, under names that can be read', (t) => {
  const lines = flattenAttributes({
    vehicle: { modelYear: 1998, owner: null },
    conditionGrade: 'A',
    sizes: ['S', 'M'],
  });
  t.deepEqual(lines, [
    { name: 'vehicle · model year', value: '1998' },
    { name: 'condition grade', value: 'A' },
    { name: 'sizes', value: 'S, M' },
  ]);
});

test('what the service adds beside the domain is left out', (t) => {
  t.deepEqual(flattenAttributes({ domain: 'books', schema_version: '1.0.0', source: 'integration' }), []);
});
