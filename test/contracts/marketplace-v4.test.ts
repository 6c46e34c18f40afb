import test from 'ava';
import { v4Objects } from '../../gateways/marketplace/v4-objects.ts';
import { v4Operations, type Operation } from '../../gateways/marketplace/v4-operations.ts';
import { aSeller, errorCode, jpeg } from '../simulators/support/seller.ts';
import { brokenBodies } from './broken-bodies.ts';
import { driveEveryOperation, wholeListing } from './every-operation.ts';
import { problemsOfAnswer, problemsOfRequest } from './marketplace-v4.ts';

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
