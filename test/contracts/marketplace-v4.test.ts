import test from 'ava';
import { v4Objects } from '../../gateways/marketplace/v4-objects.ts';
import { v4Operations, type Operation } from '../../gateways/marketplace/v4-operations.ts';
import { aSeller } from '../simulators/support/seller.ts';
import { driveEveryOperation } from './every-operation.ts';
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
