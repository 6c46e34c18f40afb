// Divides the service's database over the shards of a cluster, by the keys that the schemas state, and reads back what the cluster has:
//   MONGODB_URI=mongodb://MONGOS/ node --import=tsx deploy/mongo/shard.ts [DATABASE]
// The user needs the role clusterManager. Best on an empty database; again after a shard was added.
// Defines all collections.
import '../../compose/migrate.ts';
import { definedShardKeys } from '../../platform/database/connection.ts';
import { divideDatabase, NoMongos } from './divide.ts';

const { MONGODB_URI: uri = '' } = process.env;
const [database = 'itembridge'] = process.argv.slice(2);
const keys = definedShardKeys();

try {
  await divideDatabase(uri, { database, keys });
  const named = [...keys].toSorted(([one], [other]) => one.localeCompare(other));
  for (const [collection, key] of named) console.log(`${collection}: ${describe(key)}`);
  process.exit();
} catch (error) {
  console.error(error instanceof NoMongos ? error.message : error);
  process.exit(1);
}

function describe(key: object): string {
  const fields = Object.keys(key);
  return fields.length === 0 ? 'on one shard' : `divided by ${fields.join(', ')}`;
}
