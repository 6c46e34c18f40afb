import test from 'ava';
import { Client } from '@temporalio/client';
import { freePort } from '../../embedded/choose-port.ts';
import { connectTemporal } from '../../gateways/orchestrator/temporal-connection.ts';
import { createTemporalOperations } from '../../gateways/orchestrator/temporal-operations.ts';
import { itemId } from '../../features/rules/ids.ts';

const connectionRefused = async () => {
  const connection = connectTemporal({ address: `127.0.0.1:${await freePort()}` });
  const operations = createTemporalOperations(new Client({ connection }), 'queue');
  return { connection, call: () => operations.describeItem(itemId('i1')) };
};

/** Of a call of an operator's tool. */
const patienceMs = 5_000;

// What fails in a timer of the client's would fail this file.
test('calls that are being tried again when the connection is closed fail, and nothing else does', async (t) => {
  const { connection, call } = await connectionRefused();
  const started = Array.from({ length: 20 }, call);
  const outcomes = Promise.allSettled(started);
  const startedAt = performance.now();
  // The first waits are short: by then all of them are between two tries or in one.
  const first = await Promise.race([
    ...started.map((one) => one.catch(() => 'ended')),
    new Promise((resolve) => setTimeout(resolve, 400, 'waiting')),
  ]);
  // A process that stood still for longer than the calls are patient finds them ended.
  if (performance.now() - startedAt < patienceMs) t.is(first, 'waiting');
  await connection.close();
  t.true((await outcomes).every(({ status }) => status === 'rejected'));
});

test('a call on a closed connection fails', async (t) => {
  const { connection, call } = await connectionRefused();
  await connection.close();
  await t.throwsAsync(call());
});
