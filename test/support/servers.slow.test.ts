import test from 'ava';
import { MongoClient } from 'mongodb';
import { Connection } from '@temporalio/client';
import { startMongod, startTemporal } from './servers.ts';

test('MongoDB killed with -9 has what a majority had taken when it is back on the same address', async (t) => {
  const server = await startMongod();
  t.teardown(server.stop);
  const client = await MongoClient.connect(server.uri);
  t.teardown(() => client.close());
  const notes = client.db('test').collection('notes');
  await notes.insertOne({ text: 'kept' }, { writeConcern: { w: 'majority' } });
  const pid = server.pid();

  await server.kill9();
  await server.restart();

  t.not(server.pid(), pid);
  t.is(await notes.countDocuments({ text: 'kept' }), 1);
});

test('Temporal killed with -9 keeps its namespace and search attributes', async (t) => {
  const server = await startTemporal();
  t.teardown(server.stop);

  await server.kill9();
  await server.restart();

  const connection = await Connection.connect({ address: server.address });
  t.teardown(() => connection.close());
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: 'default' });
  for (const name of ['AccountId', 'ExternalId', 'Stage', 'BlockedReason', 'Endpoint'])
    t.true(name in customAttributes, name);
});
