import { divideDatabase } from '../../deploy/mongo/divide.ts';
import { definedShardKeys } from '../../platform/database/connection.ts';

/** On a cluster (`npm run verify -- sharded`) a world's database is divided before anything is stored in it. */
export async function divideTestDatabase(settings: Readonly<Record<string, string>>): Promise<void> {
  const { MONGODB_URI: uri = '', MONGODB_DATABASE: database = '' } = settings;
  if (process.env['TEST_SHARDED'] === 'true') await divideDatabase(uri, { database, keys: definedShardKeys() });
}
