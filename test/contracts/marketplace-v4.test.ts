import test from 'ava';
import { v4Objects } from '../../gateways/marketplace/v4-objects.ts';
import { v4Operations, type Operation } from '../../gateways/marketplace/v4-operations.ts';
import { aSeller, errorCode, jpeg } from '../simulators/support/seller.ts';
import { brokenBodies } from './broken-bodies.ts';
import { driveEveryOperation, wholeListing } from './every-operation.ts';
import { operationOf, problemsOfAnswer, problemsOfRequest } from './marketplace-v4.ts';

const operations = Object.entries<Operation>(v4Operations);
const scalars = ['int32', 'int64', 'double', 'boolean', 'text', 'time', 'base64', 'object'];

test('the table names no object that it does not have, and has none that it does not name', (t) => {
  const ofOperations = operations.flatMap(([, { request, answer }]) => [request, answer?.type]);
  const ofFields = Object.values(v4Objects).flatMap(({ fields }) => Object.values(fields).map(({ type }) => type));
  const named = new Set([...ofOperations, ...ofFields].filter((name) => name !== undefined && !scalars.includes(name)));
  t.deepEqual([...named, 'ErrorAnswer'].sort(), Object.keys(v4Objects).sort());
});

test('the simulator answers every operation of the table as the table says, and is asked as it says', async (t) => {
  const seller = await aSeller();
  t.teardown(() => seller.simulator.close());
  const exchanges = await driveEveryOperation(seller);
  for (const { name, sent, answer } of exchanges) {
    const what = `${sent.method} ${sent.path} ${answer.status} ${answer.text.slice(0, 200)}`;
    t.deepEqual(problemsOfRequest(sent), [], what);
    t.deepEqual(problemsOfAnswer(name, answer), [], what);
  }
  const answered = exchanges.filter(({ answer }) => answer.status === 200).map(({ name }) => name);
  t.deepEqual([...new Set(answered)].sort(), operations.map(([name]) => name).sort(), 'each operation was answered');
});

const bodies: Readonly<Record<string, () => Record<string, unknown>>> = {
  fetchToken: () => ({ userId: 77, secretKey: 'k'.repeat(32) }),
  createItem: wholeListing,
  addImage: () => ({ imageData: jpeg.toString('base64'), imageFormat: 0, hasMega: false }),
  changePrice: () => ({ openingPrice: 300 }),
  changePrices: () => ({ id: 600_000_001, openingPrice: 300, reservedPrice: { price: 400 }, binPrice: { price: 500 } }),
  setTransactionStatus: () => ({ transactionId: 90_001, markAsPaidConfirmed: true }),
};

test('there is a body to break for each operation that takes one', (t) => {
  const taking = operations.flatMap(([name, { request }]) => (request === undefined ? [] : [name]));
  t.deepEqual(taking.sort(), Object.keys(bodies).sort());
});

for (const [name, valid] of Object.entries(bodies))
  test(`${name} refuses every body that breaks the table`, async (t) => {
    const seller = await aSeller();
    t.teardown(() => seller.simulator.close());
    const { itemId, requestId } = await seller.draft();
    const before = await seller.listings();
    const { method, path, request = '' } = operations.find(([candidate]) => candidate === name)?.[1] ?? t.fail();
    const address = path.replace('{itemId}', String(itemId)).replace('{requestId}', String(requestId));
    const broken = brokenBodies(request, valid());
    t.true(broken.length > 5);
    t.deepEqual(problemsOfRequest({ method, path: address, body: valid() }), []);
    for (const { what, field, body } of broken) {
      t.not(problemsOfRequest({ method, path: address, body }).length, 0, `the checker takes ${what}`);
      const answer = await seller.wire(method, address, body);
      t.is(answer.status, 400, `${what} → ${answer.text}`);
      t.is(errorCode(answer), 'BadRequest');
      t.true(answer.text.includes(field), `${what} → ${answer.text}`);
    }
    t.deepEqual(await seller.listings(), before, 'nothing was done');
  });

for (const [path, problem] of Object.entries({
  '/v4/orders?since=2026-01-01T00:00:00Z': /since is no name/,
  '/v4/listings/request-results?requestIds=1,2': /must be integer/,
  '/v4/listings/seller-items?filterActive=All': /must be integer/,
  '/v4/listings/seller-items?filterActive=3': /allowed values/,
  '/v4/orders?fromDate=yesterday': /pattern/,
  '/v4/listings/items/many': /no operation/,
}))
  test(`the checker says what is wrong with ${path}`, (t) => {
    t.regex(problemsOfRequest({ method: 'GET', path }).join(), problem);
  });

test('the checker knows a path with a fixed name from one with a number', (t) => {
  t.is(operationOf('PUT', '/v4/listings/items/prices'), 'changePrices');
  t.is(operationOf('DELETE', '/v4/listings/items/7'), 'endItem');
  t.is(operationOf('GET', '/v4/orders/1,2'), 'readOrdersById');
  t.is(operationOf('PUT', '/v4/listings/items/7'), undefined);
});

for (const [what, body, problem] of [
  ['an unknown field', { requestId: 1, itemId: 2, id: 3 }, /additional properties/],
  ['a field that is not there', { requestId: 1 }, /required property 'itemId'/],
  ['null for a number', { requestId: 1, itemId: null }, /must be integer/],
  ['a wrapper', { items: [] }, /required property/],
] as const)
  test(`the checker finds ${what} in an answer`, (t) => {
    t.regex(problemsOfAnswer('createItem', { status: 200, text: JSON.stringify(body) }).join(), problem);
  });

test('the checker takes success as 200 alone, and bodies only where there are some', (t) => {
  t.deepEqual(problemsOfAnswer('commit', { status: 200, text: '' }), []);
  t.is(problemsOfAnswer('commit', { status: 202, text: '' }).length, 1);
  t.is(problemsOfAnswer('commit', { status: 200, text: 'true' }).length, 1);
  t.deepEqual(problemsOfAnswer('endItem', { status: 200, text: 'false' }), []);
  t.not(problemsOfAnswer('endItem', { status: 400, text: '{"title":"Bad Request"}' }).length, 0);
});
