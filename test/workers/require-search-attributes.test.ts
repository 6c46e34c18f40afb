import test from 'ava';
import { NativeConnection } from '@temporalio/worker';
import { requireSearchAttributes, type AttributeLister } from '../../workers/require-search-attributes.ts';

const answering = (listSearchAttributes: () => Promise<{ customAttributes: object }>): AttributeLister => ({
  operatorService: { listSearchAttributes },
});
const all = { AccountId: 2, ExternalId: 2, Stage: 2, BlockedReason: 2, Endpoint: 2 };

test('a worker doesn’t start on a namespace without all search attributes, and says which are missing and what to do', async (t) => {
  const { AccountId: _account, Stage: _stage, ...some } = all;
  const { message } = await t.throwsAsync(
    requireSearchAttributes(
      answering(() => Promise.resolve({ customAttributes: some })),
      'itembridge',
    ),
  );
  t.regex(
    message,
    /namespace itembridge lacks the search attributes AccountId, Stage: run deploy\/temporal\/register\.sh/,
  );
});

test('it starts where all are there, and where the server lets only operators ask', async (t) => {
  await t.notThrowsAsync(
    requireSearchAttributes(
      answering(() => Promise.resolve({ customAttributes: all })),
      'itembridge',
    ),
  );
  const denied = Object.assign(new Error('PERMISSION_DENIED'), { code: 7 });
  await t.notThrowsAsync(
    requireSearchAttributes(
      answering(() => Promise.reject(denied)),
      'itembridge',
    ),
  );
});

test('a real server that has them says so', async (t) => {
  const connection = await NativeConnection.connect({ address: process.env['TEST_TEMPORAL_ADDRESS'] ?? '' });
  t.teardown(() => connection.close());
  await t.notThrowsAsync(requireSearchAttributes(connection, 'default'));
});
