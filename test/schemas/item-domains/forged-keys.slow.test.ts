import test from 'ava';
import fc from 'fast-check';

import { domainSlugs } from '../../../features/rules/domains.ts';
import { flattenDomain, serviceKeys } from '../../../features/items/rules/flatten-domain.ts';
import { domainAttributes } from '../../../schemas/item-domains/item-domain.ts';
import { readDomain } from '../../../schemas/items/read-domain.ts';
import { checkProperty } from '../../support/check-property.ts';

const stamp = { externalReference: 'A1', source: 'integration', schemaVersion: '1.0.0' } as const;

/** Anything a caller may try: attributes of any domain, the service's own keys, nested and spelt in other ways. */
const attributeNames = Object.values(domainAttributes).flatMap(({ properties }) => Object.keys(properties));
const keys = fc.oneof(
  fc.constantFrom(...serviceKeys, ...attributeNames, 'externalReference', 'schemaVersion', '__proto__', 'constructor'),
  fc.string(),
);
const leaf = fc.oneof(fc.constantFrom('forged', 'A', 'Bil', 'manual', null), fc.integer(), fc.string());
const values = fc.oneof(leaf, fc.dictionary(keys, fc.oneof(leaf, fc.dictionary(keys, leaf))));
const sentDomains = fc
  .tuple(fc.constantFrom(...domainSlugs, 'Reservdel', 'Fordon'), fc.dictionary(keys, values))
  .map(([slug, attributes]) => ({ ...attributes, domain: slug }));

// specification: external-reference-as-given
test("no domain a caller sends changes one of the service's own keys, and none of them appears further down", async (t) => {
  let acceptedCount = 0;
  await checkProperty(
    t,
    fc.property(sentDomains, (sent) => {
      const { domain, problems } = readDomain(JSON.parse(JSON.stringify(sent)));
      if (domain === null || problems.length > 0) return;
      acceptedCount += 1;
      const { external_reference, source, schema_version, domain: slug, ...attributes } = flattenDomain(domain, stamp);
      t.deepEqual(
        { external_reference, source, schema_version, slug },
        {
          external_reference: 'A1',
          source: 'integration',
          schema_version: '1.0.0',
          slug: domain.slug,
        },
      );
      const known = Object.keys(domainAttributes[domain.slug]?.properties ?? {});
      t.deepEqual(
        Object.keys(attributes).filter((key) => !known.includes(key)),
        [],
      );
    }),
    { numRuns: 3_000 },
  );
  t.true(acceptedCount > 500, `only ${String(acceptedCount)} domains were accepted: the test proves too little`);
});

test("no attribute of a domain has the name of one of the service's own keys", (t) => {
  for (const name of attributeNames) t.false((serviceKeys as readonly string[]).includes(name), name);
});
