import test from 'ava';
import type { TSchema } from 'typebox';

import { domainRows } from '../../features/rules/domains.ts';
import { compileSchema } from '../../schemas/compile-schema.ts';
import { errorBodySchema, fieldProblemSchema } from '../../schemas/errors.ts';
import { eventSchemas } from '../../schemas/events/event-schemas.ts';
import { domainAttributes, itemDomainSchema } from '../../schemas/item-domains/item-domain.ts';
import { itemRequestSchema } from '../../schemas/items/item-request.ts';
import { itemStatusSchema } from '../../schemas/items/item-status.ts';
import { priceRequestSchema, statusRequestSchema } from '../../schemas/items/change-requests.ts';
import { requestWarningSchema, upsertResponseSchema } from '../../schemas/items/write-response.ts';

const documented: readonly TSchema[] = [
  itemDomainSchema,
  itemRequestSchema,
  itemStatusSchema,
  priceRequestSchema,
  statusRequestSchema,
  requestWarningSchema,
  upsertResponseSchema,
  errorBodySchema,
  fieldProblemSchema,
  ...Object.values(eventSchemas),
];

const plain = (schema: TSchema): Record<string, unknown> => JSON.parse(JSON.stringify(schema));

for (const schema of documented) {
  const { $id } = plain(schema);
  test(`${String($id)} has what the interface document needs and compiles`, (t) => {
    const { title, description } = plain(schema);
    t.is(title, $id);
    t.true(typeof description === 'string' && description.length > 10);
    t.notThrows(() => compileSchema(schema));
  });
}

test('no two schemas share an id', (t) => {
  const ids = documented.map((schema) => plain(schema)['$id']);
  t.is(new Set(ids).size, ids.length);
});

// specification: 7-rich-11-unit
test('a slug has attributes exactly when the domain table calls it rich', (t) => {
  for (const row of domainRows) t.is(domainAttributes[row.slug] !== undefined, row.kind === 'rich', row.slug);
});

test('every text a caller may send has a bound', (t) => {
  const unbounded: string[] = [];
  const visit = (schema: unknown, path: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    if (
      'type' in schema &&
      schema.type === 'string' &&
      !('maxLength' in schema || 'const' in schema || 'enum' in schema)
    ) {
      unbounded.push(path);
    }
    for (const [key, child] of Object.entries(schema)) visit(child, `${path}/${key}`);
  };
  for (const schema of [itemRequestSchema, priceRequestSchema, statusRequestSchema]) visit(plain(schema), '');
  // The values of catalogCodes are bounded together, by x-max-bytes.
  t.deepEqual(
    unbounded.filter((path) => !path.endsWith('/catalogCodes/additionalProperties')),
    [],
  );
});

test('the documented domain of each slug takes its discriminant', (t) => {
  const compiled = compileSchema(itemDomainSchema);
  for (const { slug } of domainRows) t.deepEqual(compiled.problems({ domain: slug }), []);
  t.not(compiled.problems({ domain: 'bilar' }).length, 0);
});
