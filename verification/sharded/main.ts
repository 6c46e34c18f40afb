// npm run verify -- sharded --uri mongodb://MONGOS/: the main stories and the crash storm on a cluster that is given, its databases divided
// as deploy/mongo/shard.ts divides the service's. On a plain replica set they run as well; the exit code is 3, because nothing was divided.
import { randomBytes } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
// Defines all collections.
import '../../compose/migrate.ts';
import { divideDatabase, NoMongos } from '../../deploy/mongo/divide.ts';
import { definedShardKeys } from '../../platform/database/connection.ts';

/** A storm that kills MongoDB starts one of its own. */
const suites = [
  ['test/main-story/main-story.test.ts', 'test/main-story/recovery-order.test.ts'],
  ['--group', 'crash', 'verification/crash/kill-processes-in-a-storm.test.ts', '--match=!MongoDB is killed*'],
];

const { uri } = parseArgs({ options: { uri: { type: 'string' } } }).values;
if (uri === undefined) end('--uri is missing: mongodb://MONGOS/ of the cluster', 2);
const undivided = await tryToDivide(uri);
const environment = { ...process.env, MONGODB_URI: uri, ...(undivided === null && { TEST_SHARDED: 'true' }) };
const failed = suites.filter((args) => {
  const { status } = spawnSync(process.execPath, ['scripts/test.mjs', ...args], { env: environment, stdio: 'inherit' });
  return status !== 0;
});
if (failed.length > 0) end(`${failed.length} of ${suites.length} suites failed`, 1);
end(
  undivided === null
    ? 'The stories hold on the divided database.'
    : `The stories hold. Nothing was divided: ${undivided}.`,
  undivided === null ? 0 : 3,
);

/** Divides a database of its own, reads it back, and drops it. Returns why not, on a server that can't. */
async function tryToDivide(on: string): Promise<string | null> {
  const database = `itembridge_check_${randomBytes(4).toString('hex')}`;
  try {
    await divideDatabase(on, { database, keys: definedShardKeys() });
    console.log('The cluster took all keys and zones, and shows them.');
    const client = await MongoClient.connect(on);
    await client.db(database).dropDatabase();
    await client.close();
    return null;
  } catch (error) {
    if (error instanceof NoMongos) return error.message;
    throw error;
  }
}

function end(says: string, code: number): never {
  console.log(says);
  process.exit(code);
}
