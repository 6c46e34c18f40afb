// Starts the replica set and creates the administrator and the service's own user. Running it again changes nothing, except that the
// service's password follows its secret. It must come from the server's own address (127.0.0.1): only there, and only until the first
// user exists, MongoDB accepts a connection without a password.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { mongo } from 'mongoose';

const port = process.env.MONGODB_PORT ?? '27017';
/** How the members find each other, and how clients find them: it must resolve everywhere. */
const memberHost = process.env.MONGODB_MEMBER_HOST ?? 'mongodb:27017';
const secret = (name, fallback) => readFileSync(process.env[`${name}_FILE`] ?? fallback, 'utf8').trim();
const rootPassword = secret('MONGODB_ROOT_PASSWORD', '/run/secrets/mongodb_root_password');
const appUri = new URL(secret('MONGODB_URI', '/run/secrets/mongodb_uri'));
const database = appUri.pathname.slice(1);
const patienceMs = 60_000;
const authenticationFailed = 18;

const connect = (auth) =>
  mongo.MongoClient.connect(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 30_000,
    ...(auth && { auth: { username: 'root', password: rootPassword }, authSource: 'admin' }),
  });

/** Tries until it succeeds; a server that has just started or is electing answers with errors for a moment. */
async function eventually(step, what) {
  const until = Date.now() + patienceMs;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (Date.now() > until || error.code === authenticationFailed)
        throw new Error(`${what} failed`, { cause: error });
      await pause(500);
    }
  }
}

async function hasAdministrator() {
  const client = await eventually(() => connect(true), 'connecting').catch((error) => {
    if (error.cause?.code === authenticationFailed) return null;
    throw error;
  });
  await client?.close();
  return client !== null;
}

async function createAdministrator() {
  const client = await eventually(() => connect(false), 'connecting');
  try {
    const admin = client.db('admin');
    const config = { _id: 'rs0', members: [{ _id: 0, host: memberHost }] };
    await admin.command({ replSetInitiate: config }).catch((error) => {
      if (error.codeName !== 'AlreadyInitialized') throw error;
    });
    await eventually(async () => {
      const { isWritablePrimary } = await admin.command({ hello: 1 });
      if (!isWritablePrimary) throw new Error('no primary yet');
    }, 'the election');
    await eventually(
      () => admin.command({ createUser: 'root', pwd: rootPassword, roles: ['root'] }),
      'creating the administrator',
    );
    console.log('the replica set is started and has an administrator');
  } finally {
    await client.close();
  }
}

/**
 * The service may read and write its own database, change how long its rows are kept (`itembridge migrate`), and read the server's
 * parameters: how long a dead transaction holds its locks.
 */
async function putServiceUser() {
  const client = await eventually(() => connect(true), 'connecting as administrator');
  try {
    const db = client.db(database);
    const user = decodeURIComponent(appUri.username);
    const besideReadWrite = {
      privileges: [
        { resource: { cluster: true }, actions: ['getParameter'] },
        { resource: { db: database, collection: '' }, actions: ['collMod'] },
      ],
      roles: [],
    };
    const admin = client.db('admin');
    const { roles: known } = await admin.command({ rolesInfo: 'besideReadWrite' });
    await admin.command(
      known.length > 0
        ? { updateRole: 'besideReadWrite', ...besideReadWrite }
        : { createRole: 'besideReadWrite', ...besideReadWrite },
    );
    const roles = [
      { role: 'readWrite', db: database },
      { role: 'besideReadWrite', db: 'admin' },
    ];
    const settings = { pwd: decodeURIComponent(appUri.password), roles };
    const { users } = await db.command({ usersInfo: user });
    await db.command(users.length > 0 ? { updateUser: user, ...settings } : { createUser: user, ...settings });
    console.log(`user ${user} may read and write ${database}`);
  } finally {
    await client.close();
  }
}

if (!(await hasAdministrator())) await createAdministrator();
await putServiceUser();
