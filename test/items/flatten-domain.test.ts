import test from 'ava';
import fc from 'fast-check';

import { domainSlugs } from '../../features/rules/domains.ts';
import { flattenDomain, itemSources, serviceKeys, unflattenDomain } from '../../features/items/rules/flatten-domain.ts';
import { checkProperty } from '../support/check-property.ts';

const stamp = { externalReference: 'A1', source: 'integration', schemaVersion: '1.0.0' } as const;

// specification: flat-form-slug-attributes
test('the flat form has the slug as domain and the attributes beside it, without a nested domain', (t) => {
  const attributes = { part: { oemNumber: '1K0' }, conditionGrade: 'B' };
  t.deepEqual(flattenDomain({ slug: 'auto_parts', attributes }, stamp), {
    external_reference: 'A1',
    source: 'integration',
    schema_version: '1.0.0',
    domain: 'auto_parts',
    part: { oemNumber: '1K0' },
    conditionGrade: 'B',
  });
});

// specification: domain-omitted-means-other, domain-null-when-omitted
test('a domain left out is stored as null', (t) => {
  t.deepEqual(flattenDomain(null, stamp), {
    external_reference: 'A1',
    source: 'integration',
    schema_version: '1.0.0',
    domain: null,
  });
});

test("attributes can't overwrite what the service says", (t) => {
  const attributes = Object.fromEntries(serviceKeys.map((key) => [key, 'forged']));
  const flat = flattenDomain({ slug: 'books', attributes }, stamp);
  t.deepEqual(flat, { external_reference: 'A1', source: 'integration', schema_version: '1.0.0', domain: 'books' });
});

test('an attribute named __proto__ is data and changes no prototype', (t) => {
  const attributes: Record<string, unknown> = JSON.parse('{"__proto__": {"polluted": true}}');
  const flat = flattenDomain({ slug: 'books', attributes }, stamp);
  t.is(Object.getPrototypeOf(flat), Object.prototype);
  t.is(flat['polluted'], undefined);
  t.deepEqual(Object.getOwnPropertyDescriptor(flat, '__proto__')?.value, { polluted: true });
});

test('a stored slug that is none of the 18 is damage and said aloud', (t) => {
  const damaged = { ...flattenDomain(null, stamp), domain: 'bilar' };
  // @ts-expect-error: the database is not checked by the compiler
  t.throws(() => unflattenDomain(damaged), { message: /bilar/ });
});

// specification: both-ways-without-loss
test('flattening and unflattening gives back the same domain and stamp, whatever the attributes', async (t) => {
  const isFree = (key: string): boolean => !serviceKeys.some((own) => own === key);
  const keys = fc.oneof(fc.string(), fc.constantFrom('part', 'a.b', '$set', '', 'constructor')).filter(isFree);
  const domains = fc.record({ slug: fc.constantFrom(...domainSlugs), attributes: fc.dictionary(keys, fc.jsonValue()) });
  const stamps = fc.record({
    externalReference: fc.string(),
    source: fc.constantFrom(...itemSources),
    schemaVersion: fc.constant('1.0.0'),
  });
  await checkProperty(
    t,
    fc.property(fc.option(domains), stamps, (domain, anyStamp) => {
      const back = unflattenDomain(flattenDomain(domain, anyStamp));
      t.is(JSON.stringify(back.domain), JSON.stringify(domain));
      t.deepEqual(back.stamp, anyStamp);
    }),
  );
});
