import test from 'ava';
import { interfaceDocument } from '../support/interface-document.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly links?: Readonly<Record<string, Link>> }>>;
}
interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const { paths } = interfaceDocument<{ readonly paths: Record<string, Record<string, Operation>> }>();
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
const linksOf = (id: string, status: number) =>
  operations.find(({ operationId }) => operationId === id)?.responses[status]?.links ?? {};

test('whoever makes something is told what can be done with it, and where its id stands', (t) => {
  t.deepEqual(linksOf('createOrder', 201)['getOrder'], {
    operationId: 'getOrder',
    parameters: { id: '$response.body#/id' },
  });
  t.deepEqual(linksOf('upsertItem', 202)['updateItemPrice']?.parameters, {
    external_id: '$request.path.external_id',
  });
});

test('a list leads to its things, where they have an id', (t) => {
  t.deepEqual(linksOf('listWebhooks', 200)['deleteWebhook']?.parameters, { id: '$response.body#/webhooks/0/id' });
  t.deepEqual(linksOf('getSubscription', 200), {});
});

test('what did nothing leads nowhere', (t) => {
  t.deepEqual(linksOf('upsertItem', 200), {});
});

test('each link names an operation of the document and all parameters of its path', (t) => {
  const links = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap((one) => Object.values(one.links ?? {})),
  );
  t.true(links.length > 30);
  for (const { operationId, parameters } of links) {
    const target = operations.find((one) => one.operationId === operationId);
    const wanted = target?.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
    t.deepEqual(Object.keys(parameters).toSorted(), wanted?.toSorted(), operationId);
  }
});
