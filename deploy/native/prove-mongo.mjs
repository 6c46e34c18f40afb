// MongoDB as the mongodb and mongodb-init services run it.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { freePort, run, start } from './processes.mjs';

export async function proveMongo({ root, home, secrets, proved, secret }) {
  const port = await freePort();
  const memberHost = `127.0.0.1:${port}`;
  run('sh', [join(root, 'deploy/create-secrets.sh'), secrets], { env: { MONGODB_HOST: memberHost } });

  const data = join(home, 'mongodb');
  mkdirSync(data);
  start('sh', [join(root, 'deploy/mongo/start-mongod.sh')], {
    log: join(home, 'mongod.log'),
    env: {
      MONGODB_KEYFILE_FILE: join(secrets, 'mongodb_keyfile'),
      MONGODB_KEYFILE_COPY: join(home, 'mongodb-keyfile'),
      MONGODB_DATA: data,
      MONGODB_BIND: '127.0.0.1',
      MONGODB_PORT: String(port),
      MONGODB_CACHE_GB: '0.25',
    },
  });
  const init = () =>
    run(process.execPath, [join(root, 'deploy/mongo/init-replica-set.mjs')], {
      env: {
        MONGODB_PORT: String(port),
        MONGODB_MEMBER_HOST: memberHost,
        MONGODB_ROOT_PASSWORD_FILE: join(secrets, 'mongodb_root_password'),
        MONGODB_URI_FILE: join(secrets, 'mongodb_uri'),
      },
    });
  init();
  proved('MongoDB: replica set with key file and authentication, administrator, service user');
  init();
  proved('MongoDB: setting it up again changes nothing');

  await provesRights(memberHost, secret('mongodb_uri'));
  proved(
    'MongoDB: the service user has transactions in its own database and no other right; nobody gets in without a password',
  );
  await provesSilence(secret('mongodb_uri'), join(home, 'mongod.log'));
  proved('MongoDB: a slow command leaves none of its values in the log');
  return { uriFile: join(secrets, 'mongodb_uri') };
}

async function provesRights(host, uri) {
  const client = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 10_000 });
  try {
    await client.withSession((session) =>
      session.withTransaction(async () => {
        await client.db().collection('proof').insertOne({ _id: 'one' }, { session });
        await client
          .db()
          .collection('proof')
          .updateOne({ _id: 'one' }, { $set: { done: true } }, { session });
      }),
    );
    await client.db().collection('proof').createIndex({ done: 1 }, { expireAfterSeconds: 60 });
    await client.db().command({ collMod: 'proof', index: { name: 'done_1', expireAfterSeconds: 90 } });
    await client.db().collection('proof').drop();
    await mustRefuse(() => client.db('other').collection('x').insertOne({}), 'another database');
    await mustRefuse(() => client.db('admin').command({ usersInfo: 1 }), 'the list of users');
  } finally {
    await client.close();
  }
  const anonymous = await MongoClient.connect(`mongodb://${host}/?directConnection=true`, {
    serverSelectionTimeoutMS: 10_000,
  });
  try {
    await mustRefuse(() => anonymous.db('itembridge').collection('items').findOne({}), 'a read without a password');
    await mustRefuse(
      () => anonymous.db('admin').command({ createUser: 'x', pwd: 'y', roles: ['root'] }),
      'a second administrator',
    );
  } finally {
    await anonymous.close();
  }
}

async function provesSilence(uri, log) {
  const client = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 10_000 });
  try {
    const rows = client.db().collection('proof');
    await rows.insertOne({ _id: 'slow' });
    await rows.find({ _id: 'slow', $where: 'sleep(300) || "a buyer of the proof"' }).toArray();
    await rows.drop();
  } finally {
    await client.close();
  }
  if (readFileSync(log, 'utf8').includes('a buyer of the proof'))
    throw new Error('mongod logged the values of a slow command');
}

async function mustRefuse(attempt, what) {
  const refused = await attempt().then(
    () => false,
    () => true,
  );
  if (!refused) throw new Error(`MongoDB allowed ${what}`);
}
