// Define all collections: those that only routes reach are named one by one, and a test finds one that is missing.
import './context.ts';
import './worker.ts';
import '../features/accounts/store/idempotency.ts';
import '../features/accounts/store/request-log.ts';
import '../features/bulk-syncs/store/snapshot-external-ids.ts';
import '../features/listings/store/marketplace-logins.ts';
import '../features/resellers/store/join-requests.ts';
import '../features/webhooks/store/feed-epoch.ts';
import { openStore, type StoreOptions } from '../platform/database/connection.ts';
import { migrate } from '../platform/database/migrate.ts';
import type { SchemaVersion } from '../platform/database/schema-version.ts';
import { schemaSteps } from './schema-steps.ts';

/** Brings a database to the structure of this release; `tell` gets a line for each step. */
export async function migrateDatabase(options: StoreOptions, tell?: (line: string) => void): Promise<SchemaVersion> {
  const store = await openStore(options);
  try {
    return await migrate(store, { steps: schemaSteps, ...(tell && { tell }) });
  } finally {
    await store.close();
  }
}
