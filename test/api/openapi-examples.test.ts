import test from 'ava';
import { requestExamples } from '../../api/openapi/request-examples.ts';
import { routes } from '../../api/routes.ts';
import { compileSchema } from '../../schemas/compile-schema.ts';
import { readItemRequest } from '../../schemas/items/read-item-request.ts';
import { readLine, readLineRequest } from '../../schemas/bulk-syncs/read-line.ts';
import { interfaceDocument } from '../support/interface-document.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly { readonly name: string; readonly required: boolean; readonly example?: unknown }[];
}

const { paths } = interfaceDocument<{ readonly paths: Record<string, Record<string, Operation>> }>();
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
const valuesOf = (name: string): readonly unknown[] =>
  Object.values(requestExamples[name] ?? {}).map(({ value }) => value);

test('every operation says more than its summary', (t) => {
  for (const { operationId, summary, description } of operations)
    t.true(description.length > 20 && description !== summary, operationId);
});

test('every operation can be tried as it stands: what it asks for has an example', (t) => {
  for (const { name, request } of routes) t.is(name in requestExamples, request !== undefined, name);
  for (const { operationId, parameters } of operations)
    for (const { name, example } of parameters.filter(({ required }) => required))
      t.truthy(example, `${operationId} ${name}`);
});

test('every example is one that its operation takes', (t) => {
  for (const { name, request } of routes) {
    // The lines of a stream are tried below.
    if (request === undefined || request.asStream !== undefined) continue;
    const { problems } = compileSchema(request.schema);
    for (const value of valuesOf(name)) t.deepEqual(problems(value), [], name);
  }
});

test('an ERP that begins with an example is warned of nothing but the öre, which the marketplace rounds', (t) => {
  const lines = String(valuesOf('createBulkSync')[0]).trim().split('\n');
  const requests = [
    ...valuesOf('upsertItem').map((value) => readItemRequest(value)),
    ...lines.map((line) => readLineRequest(readLine(line))),
  ];
  t.is(requests.length, 6);
  for (const { warnings } of requests)
    t.deepEqual(
      warnings.filter(({ field }) => field !== 'price'),
      [],
    );
});
